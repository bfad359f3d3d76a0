-- The licence under which pages show a version's source, by its SPDX id; none if they do not.
alter table versions add column licence text;

-- Which version a bot plays by its owner's choice: none for a bot that is withdrawn. The choice stands until a version above
-- `chosen_after` is accepted.
alter table bots add column chosen integer;
alter table bots add column chosen_after integer not null default 0;

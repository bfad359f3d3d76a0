-- An operator cancels tournaments that accounts started.
alter table audit add column contest integer;

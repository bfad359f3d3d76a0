-- What was removed to make space, by its kind and what it was called there; since when. Numbers follow each other: the oldest are
-- forgotten.
create table gone (
    number integer primary key,
    kind text not null check (kind in ('room', 'contest', 'games')),
    id text not null,
    at integer not null,
    unique (kind, id)
) strict;

insert into sums (name, value) values ('last_gone', 0);

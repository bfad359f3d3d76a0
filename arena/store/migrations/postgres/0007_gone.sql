-- What was removed to make space, by its kind and what it was called there; since when. Numbers follow each other: the oldest are
-- forgotten.
create table gone (
    number bigint primary key,
    kind text collate "C" not null check (kind in ('room', 'contest', 'games')),
    id text collate "C" not null,
    at bigint not null,
    unique (kind, id)
);

insert into sums (name, value) values ('last_gone', 0);

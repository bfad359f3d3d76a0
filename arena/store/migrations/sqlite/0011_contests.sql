-- Tournaments that accounts start. What is counted changes with their events; `secret` is in an event, too, once it is revealed.
create table contests (
    id integer primary key autoincrement,
    owner integer not null references accounts (id),
    name text not null,
    game text not null,
    phase text not null check (phase in ('entry', 'playing', 'over')),
    games integer not null check (games >= 0),
    fuel integer not null check (fuel >= 0),
    secret blob not null check (length(secret) = 32),
    opened_at integer not null
) strict;
create index contests_by_owner on contests (owner, id);
create index contests_under_way on contests (id) where phase <> 'over';

-- The log of a tournament: the primary key is what makes an event happen once.
create table contest_events (
    contest integer not null references contests (id),
    seq integer not null check (seq >= 0),
    at integer not null,
    event text not null,
    primary key (contest, seq)
) strict;

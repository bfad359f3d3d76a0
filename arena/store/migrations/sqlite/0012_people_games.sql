-- Finished games for the leaderboard of people. What a game says is not known here, but whose it is: it is kept as long as either account.
create table people_games (
    seq integer primary key autoincrement,
    room text not null unique,
    first integer not null references accounts (id),
    second integer references accounts (id),
    game text not null
) strict;
create index people_games_by_first on people_games (first);
create index people_games_by_second on people_games (second) where second is not null;

-- How often games that were kept went, or their accounts did: who has read them reads them again.
create table people_changes (
    one integer primary key check (one = 1),
    number integer not null
) strict;
insert into people_changes (one, number) values (1, 0);

-- Which finished rooms were looked at.
alter table rooms add column tallied integer not null default 0 check (tallied in (0, 1));
create index rooms_to_tally on rooms (finished_at, id) where state = 'finished' and tallied = 0;

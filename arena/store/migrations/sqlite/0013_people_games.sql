-- Finished games for the leaderboard of people. What a game says is not known here, but whose it is: it is kept as long as either account.
create table people_games (
    seq integer primary key,
    room text not null unique,
    first integer not null references accounts (id),
    second integer references accounts (id),
    game text not null
) strict;
create index people_games_by_first on people_games (first);
create index people_games_by_second on people_games (second) where second is not null;

-- The number of the last one; how often games that were kept went, or their accounts did: who has read them reads them again.
insert into sums (name, value) values ('last_people_game', 0), ('people_changes', 0);

-- Which finished rooms were looked at.
alter table rooms add column tallied integer not null default 0 check (tallied in (0, 1));
create index rooms_to_tally on rooms (finished_at, id) where state = 'finished' and tallied = 0;

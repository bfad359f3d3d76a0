-- Rated games of two people are kept apart from practice, and so are the logs of their rooms.
alter table people_games add column rated bigint not null default 0 check (rated in (0, 1));
update people_games set rated = 1 where second is not null and (game::json ->> 'rated') = 'true';
create index people_games_by_keeping on people_games (rated, first, seq);

alter table rooms add column rated bigint not null default 0 check (rated in (0, 1));
update rooms set rated = 1 where id in (select room from people_games where rated = 1);
drop index rooms_by_end;
create index rooms_by_end on rooms (state, rated, finished_at, id);

-- How many games there are of either kind, and the bytes of these logs, which are none of those of other finished rooms.
insert into sums (name, value)
    select 'rated_games', count(*) from people_games where rated = 1
    union all select 'practice_games', count(*) from people_games where rated = 0
    union all select 'rated_room_bytes', coalesce(sum(bytes), 0) from rooms where rated = 1;
update sums set value = (select coalesce(sum(bytes), 0) from rooms where state = 'finished' and rated = 0)
    where name = 'finished_room_bytes';

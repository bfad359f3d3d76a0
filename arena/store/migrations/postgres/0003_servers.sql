-- What only one of several servers does at a time. Leases end by the database's clock, in milliseconds since 1970.
create table duties (
    name text collate "C" primary key,
    server text collate "C" not null,
    until_ms bigint not null
);
create index duties_by_server on duties (server);

-- What was written, for servers that did not write it. Writers take turns, so numbers come in the order in which others see them. Old
-- ones are forgotten; who misses some looks at everything.
create table news (
    number bigint generated always as identity primary key,
    topic text collate "C" not null
);

create function told_of_room_events() returns trigger language plpgsql as $$
begin
    insert into news (topic) select 'room ' || room || ' ' || max(seq) from added group by room order by room;
    perform pg_notify('arena_news', '');
    return null;
end $$;
create trigger told after insert on room_events
    referencing new table as added for each statement execute function told_of_room_events();

create function told_of_room() returns trigger language plpgsql as $$
begin
    insert into news (topic) values ('finished ' || new.id);
    perform pg_notify('arena_news', '');
    return null;
end $$;
create trigger told after update of state on rooms
    for each row when (old.state <> new.state) execute function told_of_room();

create function told_of_world_lines() returns trigger language plpgsql as $$
begin
    insert into news (topic) select distinct 'world ' || world from added order by 1;
    perform pg_notify('arena_news', '');
    return null;
end $$;
create trigger told after insert on world_lines
    referencing new table as added for each statement execute function told_of_world_lines();

create function told_of_contest_events() returns trigger language plpgsql as $$
begin
    insert into news (topic) select distinct 'contest ' || contest from added order by 1;
    perform pg_notify('arena_news', '');
    return null;
end $$;
create trigger told after insert on contest_events
    referencing new table as added for each statement execute function told_of_contest_events();

create function told_of_bots() returns trigger language plpgsql as $$
begin
    insert into news (topic) values ('bots');
    perform pg_notify('arena_news', '');
    return null;
end $$;
create trigger told after insert or update on versions for each statement execute function told_of_bots();
create trigger told after update on bots for each statement execute function told_of_bots();
create trigger told after update of name, disabled_at, deleted_at on accounts
    for each statement execute function told_of_bots();

-- Games of the queue are looked for anyway: this only makes it sooner.
create function told_of_games() returns trigger language plpgsql as $$
begin
    perform pg_notify(tg_argv[0], '');
    return null;
end $$;
create trigger told after insert on queued_games
    for each statement execute function told_of_games('arena_asked');
create trigger told after insert on queued_ends
    for each statement execute function told_of_games('arena_ended');

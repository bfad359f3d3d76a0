-- Who opened a room, how long it may be silent, since when it is, and how many bytes its log has.
alter table rooms add column owner text not null default '';
alter table rooms add column silence_seconds_max integer not null default 7200;
alter table rooms add column heard_at integer not null default 0;
alter table rooms add column bytes integer not null default 0;
update rooms set heard_at = created_at,
    bytes = (select coalesce(sum(length(cast(event as blob))), 0) from room_events where room = id);
drop index rooms_by_state;
create index rooms_by_silence on rooms (state, heard_at, id);
create index rooms_by_owner on rooms (owner, state);
create index rooms_by_end on rooms (state, finished_at, id);

-- What a bot's name looks like (`BotName::keys`). Filled when the store is opened: what looks like what, SQL does not know.
create table bot_name_keys (
    name_key text primary key,
    bot integer not null references bots (id)
) strict;
create index bot_name_keys_by_bot on bot_name_keys (bot);

create index versions_by_entrant_kept on versions (entrant) where state <> 'refused';

-- Sums that would take long to count: bytes of modules that are kept and of rooms that are finished, and the highest number
-- that a bot ever had.
create table sums (
    name text primary key,
    value integer not null
) strict;
insert into sums (name, value)
    select 'module_bytes', coalesce(sum(size_bytes), 0) from versions where state <> 'refused'
    union all select 'finished_room_bytes', coalesce(sum(bytes), 0) from rooms where state = 'finished'
    union all select 'last_bot', coalesce(max(id), 0) from bots;

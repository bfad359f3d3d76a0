-- The tables that a store in a folder has, in the words of PostgreSQL, and the bytes of bots. What the columns are for: migrations/sqlite.
-- Texts that are put in order are so by their bytes, as there.

create table accounts (
    id bigint primary key,
    name text not null,
    code_hash bytea not null unique check (length(code_hash) = 32),
    created_at bigint not null,
    disabled_at bigint,
    deleted_at bigint
);

create table account_name_keys (
    name_key text primary key,
    account bigint not null references accounts (id)
);
create index account_name_keys_by_account on account_name_keys (account);

create table sessions (
    token_hash bytea primary key check (length(token_hash) = 32),
    account bigint not null references accounts (id),
    expires_at bigint not null
);
create index sessions_by_account on sessions (account, expires_at);
create index sessions_by_expiry on sessions (expires_at);

create table tokens (
    id bigint primary key,
    account bigint not null references accounts (id),
    name text not null,
    scope text not null check (scope in ('read', 'submit', 'play', 'all')),
    token_hash bytea not null unique check (length(token_hash) = 32),
    created_at bigint not null,
    expires_at bigint not null,
    used_at bigint
);
create index tokens_by_account on tokens (account, id);

create table bots (
    id bigint primary key,
    account bigint not null references accounts (id),
    name text not null,
    name_key text not null unique,
    created_at bigint not null,
    game text not null,
    disabled_at bigint,
    deleted_at bigint,
    chosen bigint,
    chosen_after bigint not null default 0
);
create index bots_by_account on bots (account);
create index bots_by_game on bots (game, id);

create table bot_name_keys (
    name_key text primary key,
    bot bigint not null references bots (id)
);
create index bot_name_keys_by_bot on bot_name_keys (bot);

create table versions (
    bot bigint not null references bots (id),
    number bigint not null check (number >= 1),
    entrant text collate "C" not null,
    size_bytes bigint not null,
    state text not null check (state in ('pending', 'accepted', 'refused')),
    refusal_code text,
    refusal_message text,
    refusal_hint text,
    refusal_offset bigint,
    submitted_at bigint not null,
    primary key (bot, number),
    check ((state = 'refused') = (refusal_code is not null)),
    check ((refusal_code is null) = (refusal_message is null)),
    check ((refusal_code is null) = (refusal_hint is null))
);
create index versions_by_state on versions (state, bot, number);
create index versions_by_entrant on versions (entrant, state, submitted_at);
create index versions_by_entrant_kept on versions (entrant) where state <> 'refused';

-- The bytes of versions that are not refused, by their hash: every process reads them from here.
create table modules (
    entrant text collate "C" primary key,
    bytes bytea not null
);
-- They do not compress much, and are read whole.
alter table modules alter column bytes set storage external;

create table sample_logs (
    bot bigint not null,
    number bigint not null,
    seat bigint not null check (seat >= 0),
    text text not null,
    dropped bigint not null check (dropped >= 0),
    primary key (bot, number, seat),
    foreign key (bot, number) references versions (bot, number)
);

create table games (
    tournament text collate "C" not null,
    number bigint not null check (number >= 0),
    winner bigint,
    reason text not null,
    digest bytea not null check (length(digest) = 32),
    path text not null,
    primary key (tournament, number)
);

create table game_seats (
    tournament text collate "C" not null,
    number bigint not null,
    seat bigint not null check (seat >= 0),
    entrant text collate "C" not null,
    tally bigint not null,
    primary key (tournament, number, seat),
    foreign key (tournament, number) references games (tournament, number) on delete cascade
);
create index game_seats_by_entrant on game_seats (entrant, tournament, number);

create table rooms (
    id text collate "C" primary key,
    state text not null check (state in ('open', 'finished')),
    created_at bigint not null,
    finished_at bigint,
    owner text not null,
    silence_seconds_max bigint not null,
    heard_at bigint not null,
    bytes bigint not null default 0,
    tallied bigint not null default 0 check (tallied in (0, 1)),
    check ((state = 'finished') = (finished_at is not null))
);
create index rooms_by_silence on rooms (state, heard_at, id);
create index rooms_by_owner on rooms (owner, state);
create index rooms_by_end on rooms (state, finished_at, id);

create index rooms_to_tally on rooms (finished_at, id) where state = 'finished' and tallied = 0;

create table room_events (
    room text collate "C" not null references rooms (id),
    seq bigint not null check (seq >= 0),
    event text not null,
    primary key (room, seq)
);

create table people_games (
    seq bigint primary key,
    room text collate "C" not null unique,
    first bigint not null references accounts (id),
    second bigint references accounts (id),
    game text not null,
    annulled text
);
create index people_games_by_first on people_games (first);
create index people_games_by_second on people_games (second) where second is not null;

create table contests (
    id bigint primary key,
    owner bigint not null references accounts (id),
    name text not null,
    game text not null,
    phase text not null check (phase in ('entry', 'playing', 'over')),
    games bigint not null check (games >= 0),
    fuel bigint not null check (fuel >= 0),
    secret bytea not null check (length(secret) = 32),
    opened_at bigint not null
);
create index contests_by_owner on contests (owner, id);
create index contests_under_way on contests (id) where phase <> 'over';

create table contest_events (
    contest bigint not null references contests (id),
    seq bigint not null check (seq >= 0),
    at bigint not null,
    event text not null,
    primary key (contest, seq)
);

create table world_spans (
    world text collate "C" not null,
    start bigint not null check (start >= 0),
    bytes bigint not null,
    primary key (world, start)
);

create table world_lines (
    world text collate "C" not null,
    start bigint not null,
    seq bigint not null check (seq >= 0),
    line text not null,
    primary key (world, start, seq),
    foreign key (world, start) references world_spans (world, start)
);

create table secrets (
    series text collate "C" not null,
    number bigint not null,
    secret bytea not null check (length(secret) = 32),
    primary key (series, number)
);

create table closed_gates (
    gate text primary key check (gate in ('submissions', 'rooms')),
    since bigint not null
);

create table audit (
    number bigint primary key,
    at bigint not null,
    act text not null,
    bot bigint,
    account bigint,
    reason text not null,
    game text,
    world text,
    contest bigint
);

create table sums (
    name text primary key,
    value bigint not null
);
insert into sums (name, value) values
    ('module_bytes', 0), ('finished_room_bytes', 0),
    ('last_account', 0), ('last_bot', 0), ('last_token', 0), ('last_contest', 0), ('last_act', 0),
    ('last_people_game', 0), ('people_changes', 0);

-- SQLite's function of this name, as far as statements use it: one parameter for a list of any length.
create function json_each(list text) returns table (key bigint, value text) language sql immutable rows 10 as
    'select ordinality - 1, item from json_array_elements_text(list::json) with ordinality as items (item, ordinality)';

-- Accounts. `code_hash` is the SHA-256 of the player code; the code itself is nowhere.
create table accounts (
    id integer primary key,
    name text not null,
    code_hash blob not null unique check (length(code_hash) = 32),
    created_at integer not null
) strict;

-- What a name looks like (`DisplayName::keys`). A row here is what makes names unique.
create table account_name_keys (
    name_key text primary key,
    account integer not null references accounts (id)
) strict;
create index account_name_keys_by_account on account_name_keys (account);

create table sessions (
    token_hash blob primary key check (length(token_hash) = 32),
    account integer not null references accounts (id),
    expires_at integer not null
) strict;
create index sessions_by_account on sessions (account, expires_at);
create index sessions_by_expiry on sessions (expires_at);

create table bots (
    id integer primary key,
    account integer not null references accounts (id),
    name text not null,
    name_key text not null unique,
    created_at integer not null
) strict;
create index bots_by_account on bots (account);

-- Versions. The active one is not stored: it is the accepted one with the highest number.
create table versions (
    bot integer not null references bots (id),
    number integer not null check (number >= 1),
    entrant text not null,
    size_bytes integer not null,
    state text not null check (state in ('pending', 'accepted', 'refused')),
    refusal_code text,
    refusal_message text,
    refusal_hint text,
    refusal_offset integer,
    submitted_at integer not null,
    primary key (bot, number),
    check ((state = 'refused') = (refusal_code is not null)),
    check ((refusal_code is null) = (refusal_message is null)),
    check ((refusal_code is null) = (refusal_hint is null))
) strict;
create index versions_by_state on versions (state, bot, number);

-- An index over the folders of tournaments, which are the truth. Rebuilt from them at any time.
create table games (
    tournament text not null,
    number integer not null check (number >= 0),
    winner integer,
    reason text not null,
    digest blob not null check (length(digest) = 32),
    path text not null,
    primary key (tournament, number)
) strict;

create table game_seats (
    tournament text not null,
    number integer not null,
    seat integer not null check (seat >= 0),
    entrant text not null,
    tally integer not null,
    primary key (tournament, number, seat),
    foreign key (tournament, number) references games (tournament, number) on delete cascade
) strict;
create index game_seats_by_entrant on game_seats (entrant, tournament, number);

create table rooms (
    id text primary key,
    state text not null check (state in ('open', 'finished')),
    created_at integer not null,
    finished_at integer,
    check ((state = 'finished') = (finished_at is not null))
) strict;
create index rooms_by_state on rooms (state, id);

-- The log of a room: the primary key is what makes an event happen once.
create table room_events (
    room text not null references rooms (id),
    seq integer not null check (seq >= 0),
    event text not null,
    primary key (room, seq)
) strict;

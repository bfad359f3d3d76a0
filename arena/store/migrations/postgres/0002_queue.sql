-- Games that other processes play. Texts are opaque here; leases end by the database's clock, in milliseconds since 1970.
create table queued_games (
    number bigint generated always as identity primary key,
    tournament text collate "C" not null,
    key text collate "C" not null,
    semantics text not null,
    build text not null,
    job text not null,
    token bigint not null check (token >= 0),
    worker text collate "C",
    leased_until bigint,
    end_hash text collate "C",
    unique (tournament, key)
);
create index queued_games_to_play on queued_games (number) where end_hash is null;
create index queued_games_by_worker on queued_games (worker);

-- What workers submitted.
create table queued_ends (
    tournament text collate "C" not null,
    key text collate "C" not null,
    worker text collate "C" not null,
    end_hash text collate "C" not null,
    is_void bigint not null check (is_void in (0, 1)),
    text text not null,
    primary key (tournament, key, worker, end_hash)
);
create index queued_ends_by_worker on queued_ends (worker);

-- Bytes of the bots that play in these games.
create table queued_modules (
    entrant text collate "C" not null,
    tournament text collate "C" not null,
    bytes bytea not null,
    primary key (entrant, tournament)
);
create index queued_modules_by_tournament on queued_modules (tournament);

-- Workers that get no games any more.
create table quarantined_workers (
    name text collate "C" primary key,
    since_ms bigint not null,
    reason text not null
);

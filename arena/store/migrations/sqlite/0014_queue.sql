-- Games that other processes play. Texts are opaque here; leases end by the database's clock, in milliseconds since 1970.
create table queued_games (
    number integer primary key,
    tournament text not null,
    key text not null,
    semantics text not null,
    build text not null,
    job text not null,
    token integer not null check (token >= 0),
    worker text,
    leased_until integer,
    end_hash text,
    unique (tournament, key)
) strict;
create index queued_games_to_play on queued_games (number) where end_hash is null;
create index queued_games_by_worker on queued_games (worker);

-- What workers submitted.
create table queued_ends (
    tournament text not null,
    key text not null,
    worker text not null,
    end_hash text not null,
    is_void integer not null check (is_void in (0, 1)),
    text text not null,
    primary key (tournament, key, worker, end_hash)
) strict;
create index queued_ends_by_worker on queued_ends (worker);

-- Bytes of the bots that play in these games.
create table queued_modules (
    entrant text not null,
    tournament text not null,
    bytes blob not null,
    primary key (entrant, tournament)
) strict;
create index queued_modules_by_tournament on queued_modules (tournament);

-- Workers that get no games any more.
create table quarantined_workers (
    name text primary key,
    since_ms integer not null,
    reason text not null
) strict;

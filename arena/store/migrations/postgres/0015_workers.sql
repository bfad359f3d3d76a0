-- The site's own workers: each has a name and a token, of which only the hash is kept.
create table workers (
    name text collate "C" primary key,
    token_hash bytea not null unique check (length(token_hash) = 32),
    created_at bigint not null,
    used_at bigint
);

-- Whether a game that one of the site's own workers has played is to be played by another of them, too.
alter table queued_games add column sampled bigint not null default 0 check (sampled in (0, 1));
create index queued_games_sampled on queued_games (number) where sampled = 1;

-- Accounts that play games of tournaments for the site, by the names of their workers.
create table volunteers (
    name text primary key,
    games integer not null check (games >= 0),
    verified integer not null check (verified >= 0)
) strict;

-- Whether one of the site's own workers is to play a game, whatever volunteers say of it.
alter table queued_games add column checked integer not null default 0 check (checked in (0, 1));

-- A scope more. A check of a column changes with its table, which no other table names.
create table tokens_with_work (
    id integer primary key,
    account integer not null references accounts (id),
    name text not null,
    scope text not null check (scope in ('read', 'submit', 'play', 'work', 'all')),
    token_hash blob not null unique check (length(token_hash) = 32),
    created_at integer not null,
    expires_at integer not null,
    used_at integer
) strict;
insert into tokens_with_work select id, account, name, scope, token_hash, created_at, expires_at, used_at from tokens;
drop table tokens;
alter table tokens_with_work rename to tokens;
create index tokens_by_account on tokens (account, id);

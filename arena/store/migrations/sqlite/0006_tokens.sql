-- What programs of an account are given instead of its code. `token_hash` is the SHA-256 of the secret. Numbers are never given out
-- again: who revokes one twice ends no other.
create table tokens (
    id integer primary key autoincrement,
    account integer not null references accounts (id),
    name text not null,
    scope text not null check (scope in ('read', 'submit', 'play', 'all')),
    token_hash blob not null unique check (length(token_hash) = 32),
    created_at integer not null,
    expires_at integer not null,
    used_at integer
) strict;
create index tokens_by_account on tokens (account, id);

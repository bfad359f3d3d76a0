-- Browsers that the operator signed in with.
create table operator_sessions (
    token_hash blob primary key check (length(token_hash) = 32),
    expires_at integer not null
) strict;

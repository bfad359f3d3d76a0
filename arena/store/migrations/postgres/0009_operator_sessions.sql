-- Browsers that the operator signed in with.
create table operator_sessions (
    token_hash bytea primary key check (length(token_hash) = 32),
    expires_at bigint not null
);

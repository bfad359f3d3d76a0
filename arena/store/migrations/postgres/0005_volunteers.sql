-- Accounts that play games of tournaments for the site, by the names of their workers.
create table volunteers (
    name text collate "C" primary key,
    games bigint not null check (games >= 0),
    verified bigint not null check (verified >= 0)
);

-- Whether one of the site's own workers is to play a game, whatever volunteers say of it.
alter table queued_games add column checked bigint not null default 0 check (checked in (0, 1));

-- A scope more.
alter table tokens drop constraint tokens_scope_check;
alter table tokens add constraint tokens_scope_check check (scope in ('read', 'submit', 'play', 'work', 'all'));

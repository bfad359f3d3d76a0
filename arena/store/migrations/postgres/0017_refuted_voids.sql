-- Games of whatever tournament that a volunteer said were void, and one of the site's own workers played to a result.
alter table volunteers add column refuted bigint not null default 0 check (refuted >= 0);
-- Whether a void game has been counted there.
alter table queued_ends add column refuted bigint not null default 0 check (refuted in (0, 1));

-- When a game was asked for, in milliseconds since 1970; none for earlier ones.
alter table queued_games add column asked_ms bigint;

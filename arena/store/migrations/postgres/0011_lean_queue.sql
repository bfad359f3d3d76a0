-- Games pass through the queue in milliseconds: rows have room to change within their page, no index is kept for rare statements, and
-- texts that stay for seconds are not compressed.
drop index queued_games_by_worker;
drop index queued_ends_by_worker;
alter table queued_games set (fillfactor = 40);
alter table queued_ends alter text set storage external;

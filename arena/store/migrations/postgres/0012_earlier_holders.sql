-- Who had claimed a game before the worker that has it: a volunteer's result is taken from these two alone.
alter table queued_games add column worker_before text collate "C";

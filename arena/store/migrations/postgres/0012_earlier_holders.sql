-- Who had claimed a game before the worker that has it: only these two may submit a volunteer's result.
alter table queued_games add column worker_before text collate "C";

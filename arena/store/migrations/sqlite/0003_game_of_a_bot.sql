-- Which game a bot plays, for good: name and version of its ruleset. Bots from before there was a choice play the only
-- one there was.
alter table bots add column game text not null default 'conquerors@2';
create index bots_by_game on bots (game, id);

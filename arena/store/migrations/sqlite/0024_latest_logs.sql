-- An earlier release kept the logs of all versions.
delete from sample_logs
where number <= (select max(v.number) from versions v where v.bot = sample_logs.bot) - 10;

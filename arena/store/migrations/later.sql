-- For tests of upgrades, under `--cfg arena_later`: a column more in every table, and a table more.
do $$
declare one text;
begin
    for one in select tablename from pg_tables where schemaname = current_schema() and tablename <> '_sqlx_migrations' loop
        execute format('alter table %I add column later bigint not null default 0', one);
    end loop;
end $$;
create table later (number bigint primary key);

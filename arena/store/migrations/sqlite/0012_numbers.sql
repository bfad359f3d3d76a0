-- Numbers that were given out, counted as those of bots are: the same in every database.
insert into sums (name, value)
    select 'last_account', coalesce(max(id), 0) from accounts
    union all select 'last_token', coalesce((select seq from sqlite_sequence where name = 'tokens'), 0)
    union all select 'last_contest', coalesce((select seq from sqlite_sequence where name = 'contests'), 0)
    union all select 'last_act', coalesce((select seq from sqlite_sequence where name = 'audit'), 0);

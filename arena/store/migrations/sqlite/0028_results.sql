-- The text of a game's result, once for each tournament, whoever submitted it.
create table results (
    tournament text not null,
    hash text not null,
    text text not null,
    primary key (tournament, hash)
) strict;
insert into results (tournament, hash, text)
    select tournament, end_hash, min(text) from queued_ends group by tournament, end_hash;
alter table queued_ends drop column text;

-- The text of a game's result, once for each tournament, whoever submitted it.
create table results (
    tournament text collate "C" not null,
    hash text collate "C" not null,
    text text not null,
    primary key (tournament, hash)
);
-- Not compressed, as step 11 has it: a worker waits while its text is written.
alter table results alter text set storage external;
insert into results (tournament, hash, text)
    select tournament, end_hash, min(text) from queued_ends group by tournament, end_hash;
alter table queued_ends drop column text;

-- Journals of tournaments: each line is a label, which is a game's number or `change`, and a result.
create table kept_lines (
    folder text collate "C" not null references kept_folders (name) on delete cascade,
    line bigint not null check (line >= 0),
    label text collate "C" not null,
    hash text collate "C" not null,
    bytes bigint not null check (bytes > 0),
    primary key (folder, line)
);
create index kept_lines_by_hash on kept_lines (folder, hash);
-- How often lines were taken back: while this stays, a journal has only grown.
alter table kept_folders add column cuts bigint not null default 0;

-- Until now journals were files in pieces. The text of a result is a line with the label 0.
create table journals as
    with files as (
        select f.folder, convert_from(string_agg(p.content, ''::bytea order by f.piece), 'UTF8') as text
        from kept_files f join kept_pieces p on p.hash = f.hash where f.file = 'journal' group by f.folder
    ), lines as (
        select files.folder, l.place - 1 as line, l.text, split_part(l.text, ' ', 2) as label
        from files, string_to_table(files.text, E'\n') with ordinality as l (text, place) where l.text <> ''
    ), contents as (
        select folder, line, label, octet_length(text) + 1 as bytes,
            '0 ' || substr(text, 19 + length(label)) || E'\n' as content from lines
    )
    select folder, line, label, bytes,
        left(encode(sha256(convert_to(content, 'UTF8')), 'hex'), 16) || ' ' || content as text from contents;
insert into results (tournament, hash, text)
    select distinct folder, encode(sha256(convert_to(text, 'UTF8')), 'hex'), text from journals on conflict do nothing;
insert into kept_lines (folder, line, label, hash, bytes)
    select folder, line, label, encode(sha256(convert_to(text, 'UTF8')), 'hex'), bytes from journals;
drop table journals;
delete from kept_files where file = 'journal';
delete from kept_pieces as p where not exists (select 1 from kept_files f where f.hash = p.hash);

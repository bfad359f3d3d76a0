-- Worlds: spans of their lives, and the lines of each. What a line says is not known here.
create table world_spans (
    world text not null,
    start integer not null check (start >= 0),
    bytes integer not null,
    primary key (world, start)
) strict;

create table world_lines (
    world text not null,
    start integer not null,
    seq integer not null check (seq >= 0),
    line text not null,
    primary key (world, start, seq),
    foreign key (world, start) references world_spans (world, start)
) strict;

-- The world that an act was about.
alter table audit add column world text;

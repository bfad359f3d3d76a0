-- Measures of the operator that hold until further notice: a notice on all pages, bans of networks, annulled tournaments. The number is that of
-- the line in the log. A ban is deleted when it ends, with its network.
create table measures (
    number integer primary key,
    kind text not null,
    subject text not null,
    text text not null,
    since integer not null,
    until_at integer,
    unique (kind, subject)
) strict;

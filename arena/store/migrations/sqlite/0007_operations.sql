-- What the site's operator has closed, disabled and done.
alter table accounts add column disabled_at integer;
alter table bots add column disabled_at integer;

create table closed_gates (
    gate text primary key check (gate in ('submissions', 'rooms')),
    since integer not null
) strict;

-- One line for each act, never changed. Who it was about is a number: names are not kept here, and bots and accounts may be gone.
create table audit (
    number integer primary key autoincrement,
    at integer not null,
    act text not null,
    bot integer,
    account integer,
    reason text not null
) strict;

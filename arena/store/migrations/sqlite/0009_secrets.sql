-- What seeds will be drawn with, until it is revealed.
create table secrets (
    series text not null,
    number integer not null,
    secret blob not null check (length(secret) = 32),
    primary key (series, number)
) strict, without rowid;

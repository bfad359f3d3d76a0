-- What a version's bot logged in its sample games, for its author.
create table sample_logs (
    bot integer not null,
    number integer not null,
    seat integer not null check (seat >= 0),
    text text not null,
    dropped integer not null check (dropped >= 0),
    primary key (bot, number, seat),
    foreign key (bot, number) references versions (bot, number)
) strict;

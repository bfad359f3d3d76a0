-- Who sat in rooms that are over: lists of somebody's games.
create table room_people (
    person text not null,
    room text not null references rooms (id),
    primary key (person, room)
) strict, without rowid;
create index room_people_by_room on room_people (room);

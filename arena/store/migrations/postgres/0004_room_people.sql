-- Who sat in rooms that are over: lists of somebody's games.
create table room_people (
    person text collate "C" not null,
    room text collate "C" not null references rooms (id),
    primary key (person, room)
);
create index room_people_by_room on room_people (room);

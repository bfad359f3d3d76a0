-- Folders of tournaments, of which each server has a copy: files in pieces, in their order. A piece that several files have is there once.
create table kept_folders (
    name text collate "C" primary key,
    version bigint not null check (version > 0)
);
create table kept_pieces (
    hash text collate "C" primary key,
    content bytea not null
);
create table kept_files (
    folder text collate "C" not null references kept_folders (name) on delete cascade,
    file text collate "C" not null,
    piece bigint not null check (piece >= 0),
    hash text collate "C" not null references kept_pieces (hash),
    bytes bigint not null check (bytes > 0),
    primary key (folder, file, piece)
);
create index kept_files_by_hash on kept_files (hash);

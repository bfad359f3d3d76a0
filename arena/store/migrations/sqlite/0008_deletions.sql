-- What is left of accounts that were deleted: their numbers, which stand in records, and those of their bots that may stand in a
-- published edition: bytes, hashes, and in `name_key` and `bot_name_keys` the names that nobody else gets.
alter table accounts add column deleted_at integer;
alter table bots add column deleted_at integer;

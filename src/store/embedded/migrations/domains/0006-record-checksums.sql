-- CRC-32 of the text of the record, begun with its id: SQLite has no checksums of its own. Null for a record that an earlier version
-- wrote, until it changes.
alter table record add column checksum integer;

-- CRC-32 of the ids. Null for what an earlier version saved; that expires soon.
alter table walk add column checksum integer;

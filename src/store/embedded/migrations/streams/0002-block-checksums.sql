-- CRC-32 of every 64 KiB of the confirmed bytes, four bytes each, little-endian, so that a reader can check what it serves without
-- reading the whole file. Null for a segment that an earlier version began: such a one is checked as a whole before it is served.
alter table segment add column block_checksums blob;

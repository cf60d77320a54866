-- Files in S3, each as long as its row exists. Names begin with the archive and the day, so their order is that of time in each archive.
create table archive_file (
  name text collate "C" primary key,
  day text collate "C" not null,
  bytes bigint not null,
  sha256 text not null,
  -- CRC-32 of every 64 KiB, four bytes each, little-endian.
  block_checksums bytea not null,
  made_ms bigint not null,
  object text not null
);
create index archive_file_day on archive_file (day);

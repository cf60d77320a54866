-- A stream as a whole. Offsets count the bytes ever appended; deleted lines keep theirs.
create table stream (
  name text collate "C" primary key,
  -- Before the first line that is stored.
  start_byte bigint not null default 0,
  start_line bigint not null default 0,
  first_minute bigint not null default 0,
  -- Behind the last line. Its lock orders appends.
  end_byte bigint not null default 0,
  end_line bigint not null default 0,
  last_minute bigint not null default 0
);

-- The latest lines, as they were appended. Chunks follow one another, and the last segment of their stream.
create table stream_chunk (
  stream text collate "C" not null,
  start_byte bigint not null,
  start_line bigint not null,
  -- Since the Unix epoch; never less than that of the chunk before.
  minute bigint not null,
  size bigint not null,
  lines bigint not null,
  -- CRC-32.
  checksum bigint not null,
  bytes bytea not null,
  primary key (stream, start_byte)
);
-- Not compressed: they are soon in S3.
alter table stream_chunk alter column bytes set storage external;
create index stream_chunk_minute on stream_chunk (stream, minute, start_byte);

-- Older lines: one object in S3 for each, of lines of one minute.
create table stream_segment (
  stream text collate "C" not null,
  start_byte bigint not null,
  start_line bigint not null,
  minute bigint not null,
  size bigint not null,
  lines bigint not null,
  -- CRC-32 of every 64 KiB, four bytes each, little-endian.
  block_checksums bytea not null,
  object text not null,
  primary key (stream, start_byte)
);
create index stream_segment_minute on stream_segment (stream, minute, start_byte);

create table producer_mark (
  producer text collate "C" primary key,
  value text not null,
  moved_ms bigint not null
);

create table consumer_offset (
  stream text collate "C" not null,
  name text collate "C" not null,
  -- Null until it is first committed.
  next_byte bigint,
  used_ms bigint not null,
  holder text,
  held_until_ms bigint,
  primary key (stream, name)
);

-- Ranges that readers have open: lines from here on are not deleted. Readers make them again after a crash or a failover, which empties the table.
create unlogged table range_lease (
  id uuid primary key,
  stream text collate "C" not null,
  from_byte bigint not null,
  until timestamptz not null
);
create index range_lease_stream on range_lease (stream, from_byte);

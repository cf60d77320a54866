-- A stream as a whole: what was ever appended to it, and what is still kept.
create table stream (
  name text primary key,
  -- Bytes and lines ever appended; the first is the offset behind the last line.
  bytes integer not null,
  lines integer not null
) strict, without rowid;

-- What of each segment file is confirmed: bytes beyond that were written by somebody who did not live to say so, and are
-- overwritten by the next append.
create table segment (
  stream text not null,
  -- Since 1970.
  minute integer not null,
  -- Offset and number of lines of the stream before this segment.
  start_byte integer not null,
  start_line integer not null,
  bytes integer not null,
  lines integer not null,
  -- CRC-32 of the confirmed bytes.
  checksum integer not null,
  primary key (stream, minute)
) strict, without rowid;

create unique index segment_start on segment (stream, start_byte);

-- How far writers have come that must not write anything twice.
create table mark (
  writer text primary key,
  value text not null,
  moved_ms integer not null
) strict, without rowid;

-- Readers whose place is kept. Whoever holds a place moves it alone.
create table reader (
  stream text not null,
  name text not null,
  place integer,
  used_ms integer not null,
  holder text,
  held_until_ms integer,
  primary key (stream, name)
) strict, without rowid;

-- The list of segments of passive DNS. Its one row is locked by every transaction that changes the list, until it is committed: so sequences are given
-- in the order of the commits. The version changes with the list.
create table segment_list (
  only_row boolean primary key default true check (only_row),
  version bigint not null default 0,
  last_sequence bigint not null default 0
);
insert into segment_list default values;

-- A segment is one object with its tables one after the other: forward, inverse, distinct and, in some, trigram.
create table rrset_segment (
  name text primary key,
  -- A compacted segment takes the greatest of its sources.
  sequence bigint not null unique,
  published boolean not null,
  rrsets bigint not null,
  min_first bigint not null,
  max_last bigint not null,
  format int not null,
  -- CRC-32 and size of each table.
  checksums bigint[] not null,
  table_bytes bigint[] not null,
  object text not null,
  sha256 text not null,
  block_checksums bytea not null
);
create index rrset_segment_unpublished on rrset_segment (sequence) where not published;

-- The batches that were listed, for a day: a writer that does not know whether its commit succeeded finds out here.
create table listed_batch (
  name text primary key,
  at timestamptz not null default now()
);
create index listed_batch_by_time on listed_batch (at);

create table segment_import (
  id text primary key,
  observations bigint not null,
  complete boolean not null
);

-- The batches of each import; the numbers are null until the batch is published.
create table segment_import_batch (
  sequence bigint primary key,
  import text not null,
  domains bigint,
  hosts bigint
);
create index segment_import_batch_by_import on segment_import_batch (import);

-- Who compacts. The epoch changes with the holder, and a swap of segments under an earlier epoch is refused.
create table segment_compactor (
  only_row boolean primary key default true check (only_row),
  holder text,
  until timestamptz not null default '-infinity',
  epoch bigint not null default 0
);
insert into segment_compactor default values;

-- The runs that make up the store of RRsets. The data itself is in files beside this database, which never change once
-- a run is listed here.
create table run (
  name text primary key,
  rrsets integer not null,
  bytes integer not null,
  min_first integer not null,
  max_last integer not null,
  has_trigrams integer not null,
  checksums text not null,
  -- Who is merging this run into another, and until when that claim holds.
  merging_by text,
  merging_until integer
) strict, without rowid;

-- What each import has made durable, so that it can be repeated without counting twice.
create table import (
  id text primary key,
  observations integer not null,
  complete integer not null
) strict, without rowid;

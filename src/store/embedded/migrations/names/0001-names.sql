-- Every domain that was ever told of, once, and when it was first seen: about 28 bytes for a name of 16.
create table domain (
  name text primary key,
  seen_seconds integer not null
) strict, without rowid;

-- Domains that wait to be told, in batches. A batch takes more until somebody has asked for it; from then on it stays what it is.
create table batch (
  number integer primary key autoincrement,
  domains integer not null,
  is_sealed integer not null default 0
) strict;

create table untold (
  batch integer not null,
  name text not null,
  seen_ms integer not null,
  source text not null,
  primary key (batch, name)
) strict, without rowid;

create table source (
  name text primary key,
  place text not null
) strict, without rowid;

create table total (
  domains integer not null
) strict;

insert into total values (0);

-- A store that is made anew goes on behind the numbers of the one before it: streams remember how far they were told.
insert into batch (number, domains) values (cast(unixepoch('subsec') * 1000 as integer), 0);
delete from batch;

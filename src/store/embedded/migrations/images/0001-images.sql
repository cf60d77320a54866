-- Images as files, each kept once, whichever domains have it.
create table image (
  hash text not null primary key,
  bytes integer not null,
  mimetype text not null,
  width integer not null,
  height integer not null,
  pixel_hash text not null,
  -- Captures that show it; a row without any goes, and its file with it.
  captures integer not null
) strict, without rowid;

create table capture (
  domain text not null,
  captured_ms integer not null,
  seen_ms integer not null,
  attempted_ms integer not null,
  url text not null,
  ip_address text,
  hash text not null references image (hash),
  -- By a newer one of the domain.
  replaced integer not null default 0,
  primary key (domain, captured_ms)
) strict, without rowid;

create index capture_replaced on capture (captured_ms) where replaced = 1;
-- Deleting an image looks for captures of it.
create index capture_hash on capture (hash);

-- The last attempt that brought no image, and why.
create table failure (
  domain text not null primary key,
  failed_ms integer not null,
  reason text not null
) strict, without rowid;

create table tally (
  id integer primary key check (id = 1),
  domains integer not null,
  images integer not null,
  bytes integer not null
) strict;

insert into tally values (1, 0, 0, 0);

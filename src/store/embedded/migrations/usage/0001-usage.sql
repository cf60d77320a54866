-- Grants inside sliding windows: the n-th grant of a counter and its time. Only as many rows as the limit is wide.
create table grant_log (
  counter text not null,
  n       integer not null,
  at_ms   integer not null,
  primary key (counter, n)
) strict, without rowid;

-- The current window of each calendar limit, and of each block (window_ms 0).
create table window_count (
  counter   text primary key,
  window_ms integer not null,
  used      integer not null
) strict, without rowid;

-- Requests of the last day and the last month in which there were any.
create table tally (
  owner    text not null,
  item     text not null,
  day_ms   integer not null,
  today    integer not null,
  month_ms integer not null,
  month    integer not null,
  primary key (owner, item)
) strict, without rowid;

create table claim (
  id         blob primary key,
  expires_ms integer not null
) strict, without rowid;

create index claim_expiry on claim (expires_ms);

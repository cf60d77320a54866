-- The latest epoch of each lease under which something was written here.
create table fence (
  lease text primary key,
  epoch integer not null
) strict, without rowid;

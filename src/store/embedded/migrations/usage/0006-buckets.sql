-- Token buckets: when a bucket will be full again, in microseconds since the epoch.
create table bucket (
  counter text primary key,
  full_us integer not null
) strict, without rowid;

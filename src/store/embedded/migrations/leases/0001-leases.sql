-- Stretches of streams that somebody has open, which pruning leaves alone. A lease dies with its process.
create table lease (
  id integer primary key,
  process integer not null,
  stream text not null,
  from_minute integer not null
) strict;

create index lease_stream on lease (stream, from_minute);

-- Exclusive rights of workers.
create table lease (
  name text primary key,
  holder text not null,
  until_ms bigint not null
);

-- When a host may be contacted next, by the clock of the database.
create table host_slot (
  host text primary key,
  next timestamptz not null
);
create index host_slot_next on host_slot (next);

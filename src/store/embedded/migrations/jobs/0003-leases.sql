-- Exclusive rights of workers. The holder begins with the identity of its process: the lease of one that has ended is void.
create table lease (
  name text primary key,
  holder text not null,
  until_ms integer not null
) strict, without rowid;

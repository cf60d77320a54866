-- One row for each kind and subject. `ready_ms` is when it can be leased next: when it is due, or when its lease ends. `again_ms` is when it
-- is due again, where it was enqueued while it was leased. `set_ms` is the time at which its times were set.
create table job (
  kind     text collate "C" not null,
  subject  text collate "C" not null,
  due_ms   bigint not null,
  ready_ms bigint not null,
  again_ms bigint,
  set_ms   bigint not null,
  attempts int not null default 0,
  lease    uuid,
  primary key (kind, subject)
) with (fillfactor = 70);

create index job_ready on job (kind, ready_ms, subject);
create index job_leased on job (kind, ready_ms) where lease is not null;

-- About the latest time at which any node has set jobs.
create table job_clock (
  id      int primary key check (id = 1),
  seen_ms bigint not null
);

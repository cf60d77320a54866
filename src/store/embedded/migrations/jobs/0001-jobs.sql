create table job (
  kind text not null,
  subject text not null,
  due_ms integer not null,
  -- When somebody may have it: when it is due, or when the lease of its holder ends.
  ready_ms integer not null,
  attempts integer not null default 0,
  lease text,
  -- When it is due again, where it was asked for while it was being done.
  again_ms integer,
  primary key (kind, subject)
) strict, without rowid;

create index job_ready on job (kind, ready_ms);
create index job_leased on job (kind, ready_ms) where lease is not null;

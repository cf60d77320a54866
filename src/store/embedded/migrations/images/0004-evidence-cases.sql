-- Evidence packs that were made, and what became of them.
create table evidence_case (
  id text not null primary key,
  account_id text not null,
  created_ms integer not null,
  created_by text not null,
  -- In punycode, a list in JSON.
  domains text not null,
  recipient text not null,
  recipient_name text not null,
  note text not null,
  -- SHA-256 of the pack.
  hash text not null,
  bytes integer not null,
  sent_ms integer,
  answered_ms integer,
  outcome text not null
) strict, without rowid;

create index evidence_case_account on evidence_case (account_id, created_ms);

-- The bytes of packs in parts. Parts without a case are of a process that was killed, and are removed after a while.
create table evidence_part (
  case_id text not null,
  number integer not null,
  made_ms integer not null,
  body blob not null,
  primary key (case_id, number)
) strict;

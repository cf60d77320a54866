-- Evidence packs that were made, and what became of them.
create table evidence_case (
  id text collate "C" primary key,
  account_id text not null,
  created_ms bigint not null,
  created_by text not null,
  -- In punycode, a list in JSON.
  domains text not null,
  recipient text not null,
  recipient_name text not null,
  note text not null,
  -- SHA-256 of the pack.
  hash text not null,
  bytes bigint not null,
  sent_ms bigint,
  answered_ms bigint,
  outcome text not null
);
create index evidence_case_account on evidence_case (account_id, created_ms);

-- The bytes of packs in parts. Parts without a case are of a process that was killed, and are removed after a while.
create table evidence_part (
  case_id text collate "C" not null,
  number integer not null,
  made_ms bigint not null,
  body bytea not null,
  primary key (case_id, number)
);

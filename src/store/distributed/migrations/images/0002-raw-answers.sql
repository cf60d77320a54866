-- What servers answered to collectors. Equal bytes are stored once.
create table raw_body (
  -- SHA-256 of the bytes.
  hash text collate "C" primary key,
  bytes bigint not null,
  body bytea not null,
  -- Answers that consist of it; a row without any is deleted.
  answers bigint not null
);

create table raw_answer (
  domain text collate "C" not null,
  kind text collate "C" not null,
  asked text collate "C" not null,
  hash text collate "C" not null references raw_body (hash),
  collector text not null,
  first_ms bigint not null,
  seen_ms bigint not null,
  address text,
  request text not null,
  media_type text not null,
  is_truncated boolean not null,
  primary key (domain, kind, asked, hash)
);
create index raw_answer_seen on raw_answer (seen_ms);
create index raw_answer_hash on raw_answer (hash);

-- Its lock is held by every transaction that adds or deletes answers.
create table raw_total (
  one boolean primary key default true check (one),
  answers bigint not null default 0,
  bytes bigint not null default 0
);
insert into raw_total default values;

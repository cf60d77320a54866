-- What servers answered to collectors. Equal bytes are stored once.
create table raw_body (
  -- SHA-256 of the bytes.
  hash text not null primary key,
  bytes integer not null,
  body blob not null,
  -- Answers that consist of it; a row without any is deleted.
  answers integer not null
) strict;

create table raw_answer (
  domain text not null,
  kind text not null,
  asked text not null,
  hash text not null references raw_body (hash),
  collector text not null,
  first_ms integer not null,
  seen_ms integer not null,
  address text,
  request text not null,
  media_type text not null,
  is_truncated integer not null,
  primary key (domain, kind, asked, hash)
) strict, without rowid;

create index raw_answer_seen on raw_answer (seen_ms);
-- Deleting a body searches for answers that refer to it.
create index raw_answer_hash on raw_answer (hash);

create table raw_total (
  id integer primary key check (id = 1),
  answers integer not null,
  bytes integer not null
) strict;

insert into raw_total values (1, 0, 0);

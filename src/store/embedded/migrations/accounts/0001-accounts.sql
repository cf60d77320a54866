create table account (
  id         text primary key,
  name       text not null unique,
  active     integer not null,
  created_ms integer not null
) strict;

create table product_grant (
  account_id      text not null references account (id),
  product         text not null,
  per_minute      integer,
  per_hour        integer,
  per_month       integer,
  absolute        integer,
  expiration_date text,
  primary key (account_id, product)
) strict, without rowid;

create table user (
  id             text primary key,
  account_id     text not null references account (id),
  username       text not null unique,
  permissions    text not null, -- JSON array
  api_owner      integer not null,
  created_ms     integer not null,
  key_digest     text not null unique,
  key_sealed     blob not null,
  key_expires_ms integer,
  batch_digest   text unique,
  channels       text not null, -- JSON: "all" or array of numbers
  pdns           text           -- JSON of the grant, null when not authorized
) strict;

create unique index user_api_owner on user (account_id) where api_owner = 1;
create index user_account on user (account_id, username);

-- Digests of API keys that were reset or removed: none of them is ever accepted again.
create table retired_key (
  digest text primary key
) strict, without rowid;

create table audit (
  number   integer primary key autoincrement,
  at_ms    integer not null,
  actor    text not null,
  action   text not null,
  account  text not null,
  username text,
  detail   text not null, -- JSON
  hash     blob not null  -- SHA-256 over the previous hash and this row
) strict;

create index audit_account on audit (account, number);

create trigger audit_is_append_only_insert before insert on audit
when exists (select 1 from audit where number = new.number)
begin
  select raise(abort, 'the audit log is append-only');
end;

create trigger audit_is_append_only_update before update on audit
begin
  select raise(abort, 'the audit log is append-only');
end;

create trigger audit_is_append_only_delete before delete on audit
begin
  select raise(abort, 'the audit log is append-only');
end;

-- People who use the web UI. Their names and those of API users are one name space: the same name means the same one, in the same account.
create table person (
  id             text primary key,
  account_id     text not null references account (id),
  name           text not null,
  folded         text not null unique, -- the name in lower case
  email          text,
  permissions    text not null,        -- JSON array
  created_ms     integer not null,
  preferences    text not null,        -- JSON; members that are left out have their defaults
  password       text,                 -- argon2id, in the PHC string format
  totp_sealed    blob,                 -- the secret, encrypted
  totp_confirmed integer not null default 0,
  totp_step      integer not null default 0 -- the last time step that was used
) strict;

create index person_account on person (account_id, name);

create table recovery_code (
  person_id text not null references person (id) on delete cascade,
  digest    text not null,
  primary key (person_id, digest)
) strict, without rowid;

create table passkey (
  id         text primary key, -- the credential id in base64url
  person_id  text not null references person (id) on delete cascade,
  name       text not null,
  public_key blob not null,
  counter    integer not null,
  transports text not null, -- JSON array
  created_ms integer not null,
  used_ms    integer
) strict;

create index passkey_person on passkey (person_id, created_ms);

create table web_session (
  id                text primary key,
  person_id         text not null references person (id) on delete cascade,
  digest            text not null unique,
  previous_digest   text unique, -- the token before the last rotation
  previous_until_ms integer,
  must_rotate       integer not null default 0,
  created_ms        integer not null,
  seen_ms           integer not null,
  address           text not null,
  agent             text not null
) strict;

create index web_session_person on web_session (person_id, created_ms);

create table sign_in_link (
  digest     text primary key,
  person_id  text not null references person (id) on delete cascade,
  created_ms integer not null,
  expires_ms integer not null,
  loopback   integer not null
) strict;

create index sign_in_link_person on sign_in_link (person_id);

create table sign_in_step (
  digest     text primary key,
  kind       text not null,
  person_id  text not null references person (id) on delete cascade,
  challenge  text,
  created_ms integer not null,
  expires_ms integer not null
) strict;

create index sign_in_step_person on sign_in_step (person_id);

-- Attempts to sign in since the last success, by name and by address.
create table sign_in_attempt (
  subject  text primary key,
  attempts integer not null,
  at_ms    integer not null,
  until_ms integer not null
) strict, without rowid;

-- Identity providers of accounts, and who is who there.
create table identity_provider (
  id            text primary key,
  account_id    text not null references account (id),
  name          text not null,
  connection    text not null, -- JSON: kind and what that kind needs
  secret_sealed blob,          -- the client secret of OpenID Connect, encrypted
  rules         text not null, -- JSON
  enabled       integer not null,
  listed        integer not null,
  created_ms    integer not null,
  changed_ms    integer not null
) strict;

create index identity_provider_account on identity_provider (account_id, name);

-- A person as the provider knows them. The subject never changes, unlike names and e-mail addresses.
create table identity (
  provider_id text not null references identity_provider (id) on delete cascade,
  subject     text not null,
  person_id   text not null references person (id) on delete cascade,
  created_ms  integer not null,
  primary key (provider_id, subject),
  unique (provider_id, person_id)
) strict, without rowid;

create index identity_person on identity (person_id);

-- Accounts whose people sign in by an identity provider alone.
create table sign_on_policy (
  account_id text primary key references account (id),
  required   integer not null
) strict, without rowid;

-- Sign-ins that have left for a provider and may come back once.
create table sign_on_request (
  digest      text primary key, -- of the state that comes back
  provider_id text not null references identity_provider (id) on delete cascade,
  purpose     text not null,
  request_id  text unique,      -- of SAML
  binding     text not null,    -- digest of the cookie of the browser that left
  sealed      blob not null,    -- nonce and code verifier of OpenID Connect, encrypted
  next        text not null,    -- the address in the app to return to
  person_id   text references person (id) on delete cascade,
  created_ms  integer not null,
  expires_ms  integer not null
) strict;

create index sign_on_request_expires on sign_on_request (expires_ms);
create index sign_on_request_provider on sign_on_request (provider_id);
create index sign_on_request_person on sign_on_request (person_id);

-- What came of a sign-in until the browser fetches it: verified claims, encrypted.
create table sign_on_result (
  digest     text primary key,
  sealed     blob not null,
  created_ms integer not null,
  expires_ms integer not null
) strict;

create index sign_on_result_expires on sign_on_result (expires_ms);

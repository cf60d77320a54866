-- People who use the web UI. Their names and those of API users are one name space: the same name means the same one, in the same account.
create table person (
  id             text primary key,
  account_id     text not null references account (id),
  name           text collate "C" not null,
  email          text,
  permissions    text not null,
  created_ms     bigint not null,
  preferences    text not null default '{}', -- members that are left out have their defaults
  password       text,                       -- argon2id, in the PHC string format
  totp_sealed    bytea,                      -- the secret, encrypted
  totp_confirmed boolean not null default false,
  totp_step      bigint not null default 0,  -- the last time step that was used
  operator       boolean not null default false,
  disabled_ms    bigint                      -- since when the person cannot sign in; null: can
);

create unique index person_in_any_case on person (lower(name));
create index person_name on person (name);
create index person_account on person (account_id, name);

create table recovery_code (
  person_id text not null references person (id) on delete cascade,
  digest    text not null,
  primary key (person_id, digest)
);

create table passkey (
  id         text collate "C" primary key, -- the credential id in base64url
  person_id  text not null references person (id) on delete cascade,
  name       text not null,
  public_key bytea not null,
  counter    bigint not null,
  transports text not null,
  created_ms bigint not null,
  used_ms    bigint
);

create index passkey_person on passkey (person_id, created_ms);

create table web_session (
  id                text collate "C" primary key,
  person_id         text not null references person (id) on delete cascade,
  digest            text not null unique,
  previous_digest   text unique, -- the token before the last rotation
  previous_until_ms bigint,
  must_rotate       boolean not null default false,
  created_ms        bigint not null,
  seen_ms           bigint not null,
  address           text not null,
  agent             text not null
);

create index web_session_person on web_session (person_id, created_ms);
create index web_session_created on web_session (created_ms);
create index web_session_seen on web_session (seen_ms);

create table sign_in_link (
  digest     text primary key,
  person_id  text not null references person (id) on delete cascade,
  created_ms bigint not null,
  expires_ms bigint not null,
  loopback   boolean not null
);

create index sign_in_link_person on sign_in_link (person_id);
create index sign_in_link_expires on sign_in_link (expires_ms);

create table sign_in_step (
  digest     text primary key,
  kind       text not null,
  person_id  text not null references person (id) on delete cascade,
  challenge  text,
  created_ms bigint not null,
  expires_ms bigint not null
);

create index sign_in_step_person on sign_in_step (person_id);
create index sign_in_step_expires on sign_in_step (expires_ms);

-- Attempts to sign in since the last success, by name and by address.
create table sign_in_attempt (
  subject  text primary key,
  attempts int not null,
  at_ms    bigint not null,
  until_ms bigint not null
);

create index sign_in_attempt_at on sign_in_attempt (at_ms);

-- Identity providers of accounts.
create table identity_provider (
  id            text primary key,
  account_id    text not null references account (id),
  name          text collate "C" not null,
  connection    text not null, -- kind and what that kind needs
  secret_sealed bytea,         -- the client secret of OpenID Connect, encrypted
  rules         text not null,
  enabled       boolean not null,
  listed        boolean not null,
  created_ms    bigint not null,
  changed_ms    bigint not null
);

create unique index identity_provider_in_any_case on identity_provider (account_id, lower(name));
create index identity_provider_offered on identity_provider (name) where enabled and listed;

-- A person as the provider knows them. The subject never changes, unlike names and e-mail addresses.
create table identity (
  provider_id text not null references identity_provider (id) on delete cascade,
  subject     text not null,
  person_id   text not null references person (id) on delete cascade,
  created_ms  bigint not null,
  primary key (provider_id, subject),
  unique (provider_id, person_id)
);

create index identity_person on identity (person_id);

-- Accounts whose people sign in by an identity provider alone.
create table sign_on_policy (
  account_id text primary key references account (id),
  required   boolean not null
);

-- Sign-ins that have left for a provider and may come back once.
create table sign_on_request (
  digest      text primary key, -- of the state that comes back
  provider_id text not null references identity_provider (id) on delete cascade,
  purpose     text not null,
  request_id  text unique,      -- of SAML
  binding     text not null,    -- digest of the cookie of the browser that left
  sealed      bytea not null,   -- nonce and code verifier of OpenID Connect, encrypted
  next        text not null,    -- the address in the app to return to
  person_id   text references person (id) on delete cascade,
  created_ms  bigint not null,
  expires_ms  bigint not null
);

create index sign_on_request_expires on sign_on_request (expires_ms);
create index sign_on_request_provider on sign_on_request (provider_id);
create index sign_on_request_person on sign_on_request (person_id);

-- What came of a sign-in until the browser fetches it: verified claims, encrypted.
create table sign_on_result (
  digest     text primary key,
  sealed     bytea not null,
  created_ms bigint not null,
  expires_ms bigint not null
);

create index sign_on_result_expires on sign_on_result (expires_ms);

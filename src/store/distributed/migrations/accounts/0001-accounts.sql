-- Texts that are compared or sorted have the order of their bytes, as in the embedded store. Lists and objects are JSON.

create table account (
  id         text primary key,
  name       text collate "C" not null unique,
  active     boolean not null,
  created_ms bigint not null,
  withdrawn  text not null default '[]' -- APIs with keys of their own: pdns, batch
);

create index account_in_any_case on account (lower(name));

create table product_grant (
  account_id      text not null references account (id),
  product         text not null,
  per_minute      bigint,
  per_hour        bigint,
  per_month       bigint,
  absolute        bigint,
  expiration_date text,
  primary key (account_id, product)
);

-- The accounts that may append to channels beyond the built-in ones.
create table channel_owner (
  channel    int primary key,
  account_id text not null references account (id)
);

create index channel_owner_account on channel_owner (account_id, channel);

create table api_user (
  id               text primary key,
  account_id       text not null references account (id),
  username         text collate "C" not null unique,
  permissions      text not null,
  api_owner        boolean not null,
  created_ms       bigint not null,
  key_digest       text not null unique,
  key_sealed       bytea not null,
  key_expires_ms   bigint,
  batch_digest     text unique,
  channels         text not null, -- "all" or numbers
  pdns             text,          -- null: not authorized, or shared
  addresses        text not null, -- from which the keys work; empty: from everywhere
  products         text,          -- that the API key may use; null: all of the account
  pdns_shared_with text references api_user (id) on delete set null,
  created_by       text
);

create unique index api_user_owner on api_user (account_id) where api_owner;
create index api_user_account on api_user (account_id, username);
create index api_user_shared on api_user (pdns_shared_with) where pdns_shared_with is not null;
-- Not unique: names of users of the first version may differ by case alone.
create index api_user_in_any_case on api_user (lower(username));

-- Digests of API keys that were reset or removed: none of them is ever accepted again.
create table retired_key (digest text primary key);

create table audit (
  number   bigint primary key,
  at_ms    bigint not null,
  actor    text not null,
  action   text not null,
  account  text not null,
  username text,
  detail   text not null,
  hash     bytea not null -- SHA-256 over the previous hash and this row
);

create index audit_account on audit (account, number);
create index audit_actor on audit (actor, number);
create index audit_kind on audit (split_part(action, '.', 1), number);

-- The newest entry. Every change locks this row first, so that the chain has one order.
create table audit_head (
  is_only boolean primary key default true check (is_only),
  number  bigint not null,
  hash    bytea not null
);

insert into audit_head (number, hash) values (0, '');

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end
$$;

create trigger audit_is_append_only before update or delete or truncate on audit
for each statement execute function refuse_audit_change();

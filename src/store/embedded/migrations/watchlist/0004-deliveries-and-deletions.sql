alter table subscription add column paused_ms integer;
alter table subscription add column paused_by text;
-- JSON: hour, zone and days of the week of a daily digest. Null: at the end of the UTC day.
alter table subscription add column schedule text;
-- When the receiver last accepted something.
alter table subscription add column delivered_ms integer;

-- The latest deliveries of each subscription. Attempts to deliver the same events are one row.
create table delivery (
  subscription integer not null references subscription (number) on delete cascade,
  number integer not null,
  -- events, test or replay
  kind text not null,
  -- delivered or failed
  status text not null,
  -- Null for a test.
  first_event integer,
  last_event integer,
  events integer not null,
  attempts integer not null,
  first_ms integer not null,
  last_ms integer not null,
  error text,
  primary key (subscription, number)
) strict, without rowid;

-- Whether the domains of a deleted monitor are no longer blocked.
alter table monitor add column unblocked integer not null default 0;

-- Who fetched a blocklist last, one row for each client.
create table blocklist_fetch (
  account text not null,
  format text not null,
  address text not null,
  agent text not null,
  fetched_ms integer not null,
  -- Of the blocklist.
  version integer not null,
  primary key (account, format, address, agent)
) strict, without rowid;

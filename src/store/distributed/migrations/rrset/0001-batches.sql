-- Batches of passive DNS, whose rows are in ClickHouse. A batch is begun here, inserted there, and then listed here. `until` is when its writer
-- gives up: from then on another node finds out whether it was inserted. `is_known` says that its base domains count as known to later batches.
create table rrset_batch (
  sequence         bigint primary key,
  id               uuid not null unique,
  until            timestamptz not null,
  publish          boolean not null,
  is_listed        boolean not null default false,
  is_published     boolean not null,
  is_known         boolean not null,
  import_id        text collate "C",
  durable_before   bigint not null,
  durable_after    bigint not null,
  rrsets           bigint not null default 0,
  bytes            bigint not null default 0,
  min_first        bigint not null default 0,
  max_last         bigint not null default 0,
  listed_at        timestamptz,
  -- With several shards the observations, packed, until it is listed: a node that takes it over inserts what a shard lacks.
  observations     bytea
);
alter table rrset_batch alter column observations set storage external;

create index rrset_batch_unlisted on rrset_batch (sequence) where not is_listed;
create index rrset_batch_unpublished on rrset_batch (sequence) where not is_published;
create index rrset_batch_unknown on rrset_batch (sequence) where not is_known;
create index rrset_batch_listed on rrset_batch (listed_at) where is_listed and is_published and is_known;
-- An import has one batch under way.
create unique index rrset_batch_import on rrset_batch (import_id) where not is_listed;

create table rrset_import (
  id           text collate "C" primary key,
  observations bigint not null,
  is_complete  boolean not null default false,
  new_domains  bigint not null default 0,
  new_hosts    bigint not null default 0
);

-- The last sequence, a number that changes with every listed batch, and totals of the listed batches.
create table rrset_state (
  id        int primary key check (id = 1),
  sequence  bigint not null default 0,
  version   bigint not null default 0,
  rrsets    bigint not null default 0,
  bytes     bigint not null default 0,
  min_first bigint,
  max_last  bigint
);
insert into rrset_state (id) values (1);

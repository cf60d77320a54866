-- Investigations: trees of searches, findings, and a log of who changed what.

create table investigation (
  id text collate "C" primary key,
  account_id text not null,
  owner_id text not null,
  owner text not null,
  name text not null,
  note text not null,
  sharing text not null check (sharing in ('private', 'view', 'add', 'delete')),
  created_ms bigint not null,
  changed_by text not null,
  changed_ms bigint not null,
  version bigint not null
);

create index investigation_by_account on investigation (account_id, changed_ms desc, id);

-- `number` is the order of creation: parents come before their children.
create table investigation_node (
  number bigint generated always as identity primary key,
  investigation_id text collate "C" not null references investigation (id) on delete cascade,
  id text not null,
  parent_id text,
  -- JSON.
  query text not null,
  note text not null,
  star boolean not null,
  by text not null,
  at_ms bigint not null,
  version bigint not null,
  then_domains bigint,
  then_risk double precision,
  then_ms bigint,
  now_domains bigint,
  now_risk double precision,
  now_ms bigint,
  unique (investigation_id, id),
  foreign key (investigation_id, parent_id) references investigation_node (investigation_id, id) on delete cascade
);

create index investigation_node_by_parent on investigation_node (investigation_id, parent_id);

create table investigation_item (
  number bigint generated always as identity primary key,
  investigation_id text collate "C" not null references investigation (id) on delete cascade,
  id text not null,
  kind text not null,
  value text not null,
  note text not null,
  by text not null,
  at_ms bigint not null,
  version bigint not null,
  unique (investigation_id, id),
  unique (investigation_id, kind, value)
);

-- The latest changes of each investigation; of a removed one the removal alone, for some days. Ids are taken under the lock of the account, which
-- is held until the commit: those of an account become visible in their order.
create table investigation_change (
  id bigint generated always as identity primary key,
  account_id text not null,
  investigation_id text collate "C" not null,
  version bigint not null,
  by text not null,
  at_ms bigint not null,
  what text not null,
  -- JSON lists.
  ids text not null,
  members text not null,
  -- Whom it concerns: the owner alone while the investigation is private.
  owner_id text not null,
  is_private boolean not null,
  unique (investigation_id, version)
);

create index investigation_change_by_account on investigation_change (account_id, id);
create index investigation_removal_by_time on investigation_change (at_ms) where what = 'investigation-removed';

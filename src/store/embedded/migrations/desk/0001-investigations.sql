-- Investigations: trees of searches, findings, and a log of who changed what.

create table investigation (
  id text primary key,
  account_id text not null,
  owner_id text not null,
  owner text not null,
  name text not null,
  note text not null,
  sharing text not null check (sharing in ('private', 'view', 'add', 'delete')),
  created_ms integer not null,
  changed_by text not null,
  changed_ms integer not null,
  version integer not null
) strict;

create index investigation_by_account on investigation (account_id, changed_ms);

-- `number` is the order of creation: parents come before their children.
create table node (
  number integer primary key,
  investigation_id text not null references investigation (id) on delete cascade,
  id text not null,
  parent_id text,
  query text not null,
  note text not null,
  star integer not null,
  by text not null,
  at_ms integer not null,
  version integer not null,
  then_domains integer,
  then_risk real,
  then_ms integer,
  now_domains integer,
  now_risk real,
  now_ms integer,
  unique (investigation_id, id),
  foreign key (investigation_id, parent_id) references node (investigation_id, id) on delete cascade
) strict;

create index node_by_parent on node (investigation_id, parent_id);

create table item (
  number integer primary key,
  investigation_id text not null references investigation (id) on delete cascade,
  id text not null,
  kind text not null,
  value text not null,
  note text not null,
  by text not null,
  at_ms integer not null,
  version integer not null,
  unique (investigation_id, id),
  unique (investigation_id, kind, value)
) strict;

-- The latest changes of each investigation; of a removed one the removal alone, for some days. Ids are never reused.
create table change (
  id integer primary key autoincrement,
  account_id text not null,
  investigation_id text not null,
  version integer not null,
  by text not null,
  at_ms integer not null,
  what text not null,
  ids text not null,
  members text not null,
  -- whom it concerns: the owner alone while the investigation is private
  owner_id text not null,
  is_private integer not null
) strict;

create index change_by_account on change (account_id, id);
create unique index change_by_version on change (investigation_id, version);
create index removal_by_time on change (at_ms) where what = 'investigation-removed';

-- A domain that no monitor matches any more keeps its row: for good where a user decided about it, so that the decision holds when the
-- domain is found again, and otherwise until no page of a list can refer to it.
alter table domain add column matched integer not null default 1;
-- When the row of an undecided one may be deleted; null until the first run of the pruning.
alter table domain add column purge_ms integer;

create index domain_unmatched on domain (purge_ms) where matched = 0 and state = 'new';

-- Whether the decisions about its domains are to be forgotten with a deleted monitor.
alter table monitor add column forgotten integer not null default 0;

-- Result snapshots: the order of a list when its first page was requested, so that later pages neither lose nor repeat a row.
create table list_snapshot (
  number integer primary key,
  account text not null,
  list text not null,
  username text not null,
  -- Names everything the list depends on except the page.
  query text not null,
  begun_ms integer not null,
  until_ms integer not null,
  total integer not null,
  -- Row numbers in their order, four bytes each.
  rows blob not null
) strict;

create index list_snapshot_query on list_snapshot (account, list, query);

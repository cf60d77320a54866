-- Selections of blocklists with their versions, and collections of STIX objects. Both are made from the tables of the part `watchlist`: triggers note the
-- names about which something changed, so that no change can be missed. Changes of an account are made under its lock (`account_lock`).
--
--   blocklist_selection   what a blocklist has on it; blocklist_version: its versions that can still be read
--   blocklist_member      the names of all of these versions
--   blocklist_allowed     names that are never blocked; blocklist_tagged: domains with tags that selections name
--   blocklist_pending     names to evaluate again
--   sharing_collection    collections that were ever read; sharing_object: the versions of their objects
--   sharing_pending       names to evaluate again

-- Deleted ones keep their row: a later selection of the same name goes on from its serial.
create table blocklist_selection (
  number bigint generated always as identity primary key,
  account_id text not null,
  name text collate "C" not null,
  -- JSON.
  rules text not null,
  -- Whether they depend on more than what is blocked.
  wide boolean not null,
  deleted boolean not null default false,
  created_by text not null,
  created_ms bigint not null,
  -- Of the latest published version. 0: there is none yet.
  serial bigint not null default 0,
  -- Of the version that is being made; null: none is.
  draft bigint,
  -- All names up to this one are evaluated by the present rules; null: all are.
  filled text collate "C",
  -- Names that block and names that the allow list leaves out, the draft included.
  blocked bigint not null default 0,
  left_out bigint not null default 0,
  unique (account_id, name)
);

create index blocklist_selection_unfinished on blocklist_selection (account_id)
  where filled is not null or draft is not null;
create index blocklist_selection_wide on blocklist_selection (account_id) where wide;

create table blocklist_version (
  selection bigint references blocklist_selection (number),
  serial bigint,
  primary key (selection, serial)
);

-- A name is part of every version from `added` on and before `removed`.
create table blocklist_member (
  selection bigint references blocklist_selection (number),
  name text collate "C",
  added bigint,
  removed bigint,
  -- blocked; passed: an allowed name below a blocked one; left-out: it would be blocked, were it not allowed.
  kind text not null,
  -- The labels from the last to the first, each with a dot: what is below a name begins as it does.
  reversed text collate "C" not null,
  since_ms bigint not null,
  -- JSON: why it was added.
  reason text not null,
  primary key (selection, name, added)
);

create index blocklist_member_below on blocklist_member (selection, reversed) where removed is null;
create index blocklist_member_added on blocklist_member (selection, added, name);
create index blocklist_member_removed on blocklist_member (selection, removed, name) where removed is not null;

-- Neither these names nor those below them are ever blocked.
create table blocklist_allowed (
  account_id text,
  name text collate "C",
  reversed text collate "C" not null,
  added_by text not null,
  added_ms bigint not null,
  primary key (account_id, name)
);

create index blocklist_allowed_below on blocklist_allowed (account_id, reversed);

create table blocklist_tagged (
  account_id text,
  name text collate "C",
  -- In the form in which tags are compared.
  tag text,
  -- Of the comparison that saw it last; they are numbered.
  round bigint not null,
  primary key (account_id, name, tag)
);

create index blocklist_tagged_tag on blocklist_tagged (account_id, tag, round);

create table blocklist_pending (
  account_id text,
  name text collate "C",
  primary key (account_id, name)
);

-- A collection exists from its first reading on; before that it costs nothing.
create table sharing_collection (
  number bigint generated always as identity primary key,
  -- Empty: shared by all accounts.
  account_id text not null,
  -- blocked, watched, lookalikes-new, hotlist, or monitor- and the id of a monitor.
  name text not null,
  -- Kept for a monitor that is deleted.
  title text not null,
  created_ms bigint not null,
  -- JSON: how far its list is evaluated for the first time; null: all of it is.
  filled text,
  -- When the last object was added, in microseconds since 1970. No time is given twice.
  added bigint not null default 0,
  -- How far the feed is read, for the hotlist.
  feed_offset bigint not null default 0,
  unique (account_id, name)
);

-- Versions of objects, in the order in which they were added. The version of an object is the millisecond of `added`.
create table sharing_object (
  collection bigint references sharing_collection (number),
  added bigint,
  id text not null,
  type text not null,
  -- The domain or address that it is about, and its part in what is said about that.
  subject text not null,
  part text not null,
  created_ms bigint not null,
  -- Whether it is the first version, and whether it is the latest.
  first boolean not null,
  latest boolean not null default true,
  revoked boolean not null default false,
  -- JSON: the properties that follow neither from the columns nor from the type.
  content text not null,
  primary key (collection, added)
);

create index sharing_object_id on sharing_object (collection, id, added);
create index sharing_object_type on sharing_object (collection, type, added);
create index sharing_object_subject on sharing_object (collection, subject, part) where latest;
create index sharing_object_latest on sharing_object (collection, added) where latest;
create index sharing_object_first on sharing_object (collection, added) where first;

create table sharing_pending (
  account_id text,
  name text collate "C",
  primary key (account_id, name)
);

-- Escalations as blocked concern every selection and every collection of the account.
create function note_escalated() returns trigger language plpgsql set search_path from current as $$
begin
  insert into blocklist_pending
    select distinct account_id, name from changed
    where type = 'blocked' and exists (select 1 from blocklist_selection where account_id = changed.account_id)
    on conflict do nothing;
  insert into sharing_pending
    select distinct account_id, name from changed
    where type = 'blocked' and exists (select 1 from sharing_collection where account_id = changed.account_id)
    on conflict do nothing;
  return null;
end $$;

create trigger note_escalated after insert on escalation
  referencing new table as changed for each statement execute function note_escalated();
create trigger note_withdrawn after delete on escalation
  referencing old table as changed for each statement execute function note_escalated();

-- A domain is never added without a match, so an added match notes both.
create function note_domain_changed() returns trigger language plpgsql set search_path from current as $$
begin
  insert into blocklist_pending
    select after.account_id, after.name from before join after using (number)
    where (before.state, before.listed, before.risk_score) is distinct from (after.state, after.listed, after.risk_score)
      and exists (select 1 from blocklist_selection where account_id = after.account_id and wide)
    on conflict do nothing;
  insert into sharing_pending
    select after.account_id, after.name from before join after using (number)
    where (before.state, before.listed, before.risk_score, before.risk_components, before.shared, before.discovered_ms)
        is distinct from (after.state, after.listed, after.risk_score, after.risk_components, after.shared, after.discovered_ms)
      and exists (select 1 from sharing_collection where account_id = after.account_id)
    on conflict do nothing;
  return null;
end $$;

create trigger note_domain_changed after update on watchlist_domain
  referencing old table as before new table as after for each statement execute function note_domain_changed();

create function note_domain_removed() returns trigger language plpgsql set search_path from current as $$
begin
  insert into blocklist_pending
    select account_id, name from removed
    where exists (select 1 from blocklist_selection where account_id = removed.account_id and wide)
    on conflict do nothing;
  insert into sharing_pending
    select account_id, name from removed
    where exists (select 1 from sharing_collection where account_id = removed.account_id)
    on conflict do nothing;
  return null;
end $$;

create trigger note_domain_removed after delete on watchlist_domain
  referencing old table as removed for each statement execute function note_domain_removed();

-- Of few accounts: nothing more is asked where none has such a list.
create function note_domains(numbers bigint[]) returns void language plpgsql set search_path from current as $$
begin
  if exists (select 1 from blocklist_selection where wide) then
    insert into blocklist_pending
      select account_id, name from watchlist_domain as domain where number = any(numbers)
        and exists (select 1 from blocklist_selection where account_id = domain.account_id and wide)
      on conflict do nothing;
  end if;
  if exists (select 1 from sharing_collection where account_id > '') then
    insert into sharing_pending
      select account_id, name from watchlist_domain as domain where number = any(numbers)
        and exists (select 1 from sharing_collection where account_id = domain.account_id)
      on conflict do nothing;
  end if;
end $$;

create function note_matches() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_domains(array(select distinct domain from changed));
  return null;
end $$;

create trigger note_match_added after insert on monitor_match
  referencing new table as changed for each statement execute function note_matches();
create trigger note_match_removed after delete on monitor_match
  referencing old table as changed for each statement execute function note_matches();

create function note_matches_changed() returns trigger language plpgsql set search_path from current as $$
begin
  perform note_domains(array(
    select distinct domain from before join after using (domain, monitor) where before.named <> after.named));
  return null;
end $$;

create trigger note_match_changed after update on monitor_match
  referencing old table as before new table as after for each statement execute function note_matches_changed();

create function note_tags() returns trigger language plpgsql set search_path from current as $$
begin
  insert into blocklist_pending select distinct account_id, name from changed on conflict do nothing;
  return null;
end $$;

create trigger note_tag_added after insert on blocklist_tagged
  referencing new table as changed for each statement execute function note_tags();
create trigger note_tag_removed after delete on blocklist_tagged
  referencing old table as changed for each statement execute function note_tags();

-- An allowed name takes those below it off the collection `blocked`: it is evaluated again as a whole, page by page.
create function note_allowed() returns trigger language plpgsql set search_path from current as $$
begin
  update sharing_collection set filled = '{}'
    where account_id in (select account_id from changed) and name = 'blocked';
  return null;
end $$;

create trigger note_allowed after insert on blocklist_allowed
  referencing new table as changed for each statement execute function note_allowed();
create trigger note_no_longer_allowed after delete on blocklist_allowed
  referencing old table as changed for each statement execute function note_allowed();

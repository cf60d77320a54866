-- Collections of STIX objects that TAXII clients read. One exists from its first reading on; before that it costs nothing.
create table sharing_collection (
  number integer primary key,
  -- Empty: shared by all accounts.
  account text not null,
  -- blocked, watched, lookalikes-new, hotlist, or monitor- and the id of a monitor.
  name text not null,
  -- Kept for a monitor that is deleted.
  title text not null,
  created_ms integer not null,
  -- JSON: how far its list is evaluated for the first time; null: all of it is.
  filled text,
  -- When the last object was added, in microseconds since 1970. No time is given twice.
  added integer not null default 0,
  -- How far the feed is read, for the hotlist.
  feed_offset integer not null default 0,
  unique (account, name)
) strict;

-- Versions of objects, in the order in which they were added. The version of an object is the millisecond of `added`.
create table sharing_object (
  collection integer not null references sharing_collection (number),
  added integer not null,
  id text not null,
  type text not null,
  -- The domain or address that it is about, and its part in what is said about that.
  subject text not null,
  part text not null,
  created_ms integer not null,
  -- Whether it is the first version, and whether it is the latest.
  first integer not null,
  latest integer not null default 1,
  revoked integer not null default 0,
  -- JSON: the properties that follow neither from the columns nor from the type.
  content text not null,
  primary key (collection, added)
) strict, without rowid;

create index sharing_object_id on sharing_object (collection, id, added);
create index sharing_object_type on sharing_object (collection, type, added);
create index sharing_object_subject on sharing_object (collection, subject, part) where latest = 1;
create index sharing_object_latest on sharing_object (collection, added) where latest = 1;
create index sharing_object_first on sharing_object (collection, added) where first = 1;

-- Names to evaluate again. Written by the triggers below, so that no change can be missed.
create table sharing_pending (
  account text not null,
  name text not null,
  primary key (account, name)
) strict, without rowid;

create trigger sharing_escalated after insert on escalation when new.type = 'blocked' begin
  insert into sharing_pending select new.account, new.name
    where exists (select 1 from sharing_collection where account = new.account)
      and not exists (select 1 from sharing_pending where account = new.account and name = new.name);
end;

create trigger sharing_withdrawn after delete on escalation when old.type = 'blocked' begin
  insert into sharing_pending select old.account, old.name
    where exists (select 1 from sharing_collection where account = old.account)
      and not exists (select 1 from sharing_pending where account = old.account and name = old.name);
end;

create trigger sharing_domain_changed after update of state, listed, risk_score, risk_components, shared, discovered_ms on domain
when exists (select 1 from sharing_collection where account = new.account)
  and (old.state is not new.state or old.listed is not new.listed or old.risk_score is not new.risk_score
    or old.risk_components is not new.risk_components or old.shared is not new.shared or old.discovered_ms is not new.discovered_ms) begin
  insert into sharing_pending select new.account, new.name
    where not exists (select 1 from sharing_pending where account = new.account and name = new.name);
end;

create trigger sharing_domain_removed after delete on domain begin
  insert into sharing_pending select old.account, old.name
    where exists (select 1 from sharing_collection where account = old.account)
      and not exists (select 1 from sharing_pending where account = old.account and name = old.name);
end;

-- A domain is never added without a match. Nothing more is asked where no account has a collection.
create trigger sharing_match_added after insert on monitor_match
when exists (select 1 from sharing_collection where account > '') begin
  insert into sharing_pending select account, name from domain where number = new.domain
    and exists (select 1 from sharing_collection where account = domain.account)
    and not exists (select 1 from sharing_pending where account = domain.account and name = domain.name);
end;

create trigger sharing_match_changed after update of named on monitor_match
when old.named is not new.named and exists (select 1 from sharing_collection where account > '') begin
  insert into sharing_pending select account, name from domain where number = new.domain
    and exists (select 1 from sharing_collection where account = domain.account)
    and not exists (select 1 from sharing_pending where account = domain.account and name = domain.name);
end;

create trigger sharing_match_removed after delete on monitor_match begin
  insert into sharing_pending select account, name from domain where number = old.domain
    and exists (select 1 from sharing_collection where account = domain.account)
    and not exists (select 1 from sharing_pending where account = domain.account and name = domain.name);
end;

-- An allowed name takes those below it off the collection `blocked`: it is evaluated again as a whole, page by page.
create trigger sharing_allowed after insert on blocklist_allowed begin
  update sharing_collection set filled = '{}' where account = new.account and name = 'blocked';
end;

create trigger sharing_no_longer_allowed after delete on blocklist_allowed begin
  update sharing_collection set filled = '{}' where account = old.account and name = 'blocked';
end;

-- What a blocklist of an account has on it. Deleted ones keep their row: a later selection of the same name goes on from its serial.
create table blocklist_selection (
  number integer primary key,
  account text not null,
  name text not null,
  -- JSON.
  rules text not null,
  -- Whether they depend on more than what is blocked.
  wide integer not null,
  deleted integer not null default 0,
  created_by text not null,
  created_ms integer not null,
  -- Of the latest published version. 0: there is none yet.
  serial integer not null default 0,
  -- Of the version that is being made; null: none is.
  draft integer,
  -- All names up to this one are evaluated by the present rules; null: all are.
  filled text,
  -- Names that block and names that the allow list leaves out, the draft included.
  blocked integer not null default 0,
  left_out integer not null default 0,
  unique (account, name)
) strict;

create index blocklist_selection_unfinished on blocklist_selection (account)
  where filled is not null or draft is not null;

-- Versions that can still be read.
create table blocklist_version (
  selection integer not null references blocklist_selection (number),
  serial integer not null,
  primary key (selection, serial)
) strict, without rowid;

-- A name is part of every version from `added` on and before `removed`.
create table blocklist_member (
  selection integer not null references blocklist_selection (number),
  name text not null,
  added integer not null,
  removed integer,
  -- blocked; passed: an allowed name below a blocked one; left-out: it would be blocked, were it not allowed.
  kind text not null,
  -- The labels from the last to the first, each with a dot: what is below a name begins as it does.
  reversed text not null,
  since_ms integer not null,
  -- JSON: why it was added.
  reason text not null,
  primary key (selection, name, added)
) strict, without rowid;

create index blocklist_member_below on blocklist_member (selection, reversed) where removed is null;
create index blocklist_member_added on blocklist_member (selection, added, name);
create index blocklist_member_removed on blocklist_member (selection, removed, name) where removed is not null;

-- Neither these names nor those below them are ever blocked.
create table blocklist_allowed (
  account text not null,
  name text not null,
  reversed text not null,
  added_by text not null,
  added_ms integer not null,
  primary key (account, name)
) strict, without rowid;

create index blocklist_allowed_below on blocklist_allowed (account, reversed);

-- Domains with a tag of the team that some selection names, as they are in domains.db.
create table blocklist_tagged (
  account text not null,
  name text not null,
  -- In the form in which tags are compared.
  tag text not null,
  -- Of the comparison that saw it last; they are numbered.
  round integer not null,
  primary key (account, name, tag)
) strict, without rowid;

create index blocklist_tagged_tag on blocklist_tagged (account, tag, round);

-- Names to evaluate again. Written by the triggers below, so that no change can be missed.
create table blocklist_pending (
  account text not null,
  name text not null,
  primary key (account, name)
) strict, without rowid;

create trigger blocklist_escalated after insert on escalation when new.type = 'blocked' begin
  insert into blocklist_pending select new.account, new.name
    where exists (select 1 from blocklist_selection where account = new.account)
      and not exists (select 1 from blocklist_pending where account = new.account and name = new.name);
end;

create trigger blocklist_withdrawn after delete on escalation when old.type = 'blocked' begin
  insert into blocklist_pending select old.account, old.name
    where exists (select 1 from blocklist_selection where account = old.account)
      and not exists (select 1 from blocklist_pending where account = old.account and name = old.name);
end;

create trigger blocklist_domain_added after insert on domain begin
  insert into blocklist_pending select new.account, new.name
    where exists (select 1 from blocklist_selection where account = new.account and wide = 1)
      and not exists (select 1 from blocklist_pending where account = new.account and name = new.name);
end;

create trigger blocklist_domain_changed after update of state, listed, risk_score on domain
when old.state is not new.state or old.listed is not new.listed or old.risk_score is not new.risk_score begin
  insert into blocklist_pending select new.account, new.name
    where exists (select 1 from blocklist_selection where account = new.account and wide = 1)
      and not exists (select 1 from blocklist_pending where account = new.account and name = new.name);
end;

create trigger blocklist_domain_removed after delete on domain begin
  insert into blocklist_pending select old.account, old.name
    where exists (select 1 from blocklist_selection where account = old.account and wide = 1)
      and not exists (select 1 from blocklist_pending where account = old.account and name = old.name);
end;

create trigger blocklist_match_added after insert on monitor_match begin
  insert into blocklist_pending select account, name from domain where number = new.domain
    and exists (select 1 from blocklist_selection where account = domain.account and wide = 1)
    and not exists (select 1 from blocklist_pending where account = domain.account and name = domain.name);
end;

create trigger blocklist_match_changed after update of named on monitor_match when old.named is not new.named begin
  insert into blocklist_pending select account, name from domain where number = new.domain
    and exists (select 1 from blocklist_selection where account = domain.account and wide = 1)
    and not exists (select 1 from blocklist_pending where account = domain.account and name = domain.name);
end;

create trigger blocklist_match_removed after delete on monitor_match begin
  insert into blocklist_pending select account, name from domain where number = old.domain
    and exists (select 1 from blocklist_selection where account = domain.account and wide = 1)
    and not exists (select 1 from blocklist_pending where account = domain.account and name = domain.name);
end;

create trigger blocklist_tag_added after insert on blocklist_tagged begin
  insert into blocklist_pending select new.account, new.name
    where not exists (select 1 from blocklist_pending where account = new.account and name = new.name);
end;

create trigger blocklist_tag_removed after delete on blocklist_tagged begin
  insert into blocklist_pending select old.account, old.name
    where not exists (select 1 from blocklist_pending where account = old.account and name = old.name);
end;

-- Which selection was fetched. Fetches of earlier versions were all of what is blocked.
create table blocklist_fetched (
  account text not null,
  selection text not null,
  format text not null,
  address text not null,
  agent text not null,
  fetched_ms integer not null,
  -- The serial of what was fetched.
  version integer not null,
  primary key (account, selection, format, address, agent)
) strict, without rowid;

insert into blocklist_fetched select account, 'blocked', format, address, agent, fetched_ms, version from blocklist_fetch;
drop table blocklist_fetch;

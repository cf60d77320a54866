-- What users decided, so that it can be undone: one row per decision, and one per domain that it changed.
create table decision (
  number integer primary key autoincrement,
  id text not null unique,
  account text not null,
  username text not null,
  at_ms integer not null,
  -- watched, ignored, blocked or external_safe
  target text not null,
  note text,
  -- Of the latest undoing that changed something.
  undone_by text,
  undone_ms integer
) strict;

create index decision_account on decision (account, number);
create index decision_username on decision (account, username, number);

-- Numbers rise in the order of commits: a decision in several transactions may be overtaken by another.
create table decided_domain (
  number integer primary key autoincrement,
  decision integer not null references decision (number),
  domain integer not null references domain (number) on delete cascade,
  from_state text not null,
  from_by text,
  from_ms integer,
  -- Of the escalation that the decision made.
  escalation text,
  undone integer not null default 0,
  unique (decision, domain)
) strict;

create index decided_domain_domain on decided_domain (domain, number);

-- Escalations of earlier versions can be withdrawn too. What their domains were before is not known: they stay watched.
insert into decision (id, account, username, at_ms, target)
  select upper(hex(randomblob(5))), account, created_by, created_ms, type
  from escalation group by account, created_by, created_ms, type order by min(number);
insert into decided_domain (decision, domain, from_state, from_by, from_ms, escalation)
  select decision.number, domain.number, domain.state, assigned_by, assigned_ms, escalation.id
  from escalation
    join domain on domain.number = escalation.domain
    join decision on decision.account = escalation.account and decision.username = escalation.created_by
      and decision.at_ms = escalation.created_ms and decision.target = escalation.type
  order by escalation.number;

-- The number of its event, so that a withdrawal can name it.
alter table escalation add column event integer;
-- The event that withdrew this one, and the one that this one withdraws.
alter table event add column withdrawn_by integer;
alter table event add column withdraws integer;

create table note (
  number integer primary key autoincrement,
  id text not null unique,
  domain integer not null references domain (number) on delete cascade,
  username text not null,
  at_ms integer not null,
  text text not null
) strict;

create index note_domain on note (domain, number);

alter table domain add column assignee text;
-- JSON list: the members of the record that changed last.
alter table domain add column changed_fields text not null default '[]';
-- JSON: values of the record that other domains may share. Null in rows of earlier versions, until they are filled in.
alter table domain add column shared text;

create index domain_unfilled on domain (name) where shared is null;

-- When a person last read a list; monitor is empty for the whole list.
create table list_visit (
  account text not null,
  username text not null,
  list text not null,
  monitor text not null,
  at_ms integer not null,
  primary key (account, username, list, monitor)
) strict, without rowid;

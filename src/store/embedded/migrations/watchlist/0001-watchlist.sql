-- What is monitored. A deleted monitor stays until the last of its matches is gone.
create table monitor (
  number integer primary key,
  id text not null unique,
  account text not null,
  term text not null,
  substring_variations integer not null,
  -- JSON lists.
  nameserver_exclusions text not null,
  text_exclusions text not null,
  state text not null,
  status text not null,
  created_by text not null,
  created_ms integer not null,
  -- Rises with every change of settings, so it names the settings too.
  updated_ms integer not null,
  searched_names integer not null default 0,
  searched_of integer not null default 0,
  deleted integer not null default 0,
  -- Which settings the matches stand by. Earlier than updated_ms: somebody is going through them, or died doing so.
  applied_ms integer not null
) strict;

create index monitor_account on monitor (account) where deleted = 0;
create index monitor_unfinished on monitor (number) where deleted = 1 or applied_ms < updated_ms;

-- Domains of an account's own. Until swept, some of them may still be on its lists.
create table own_domain (
  account text not null,
  name text not null,
  swept integer not null,
  primary key (account, name)
) strict, without rowid;

-- What monitors found, once for each account.
create table domain (
  number integer primary key,
  id text not null unique,
  account text not null,
  -- Punycode, and Unicode where that differs.
  name text not null,
  unicode text,
  tld text not null,
  state text not null default 'new',
  -- Whether the list of its state shows it. Nearly all are shown, so that is what they begin with.
  listed integer not null default 1,
  -- Whether its discovery was told.
  announced integer not null default 0,
  discovered_ms integer not null,
  changed_ms integer,
  assigned_by text,
  assigned_ms integer,
  -- The latest escalation.
  escalated_ms integer,
  -- What the record says.
  active integer not null,
  mx_exists integer not null,
  name_servers text not null,
  risk_score integer,
  risk_status text,
  risk_components text,
  unique (account, name)
) strict;

create index domain_list on domain (account, state, listed, discovered_ms);
create index domain_name on domain (name);
create index domain_watched on domain (name) where state = 'watched';

-- Which monitors found a domain, and why.
create table monitor_match (
  domain integer not null references domain (number) on delete cascade,
  monitor integer not null references monitor (number),
  -- Whether the exclusions of the monitor leave the domain out.
  excluded integer not null,
  -- Whether the domain names the monitor: those that do not exclude it, or all where all do.
  named integer not null default 1,
  -- JSON.
  reason text not null,
  primary key (domain, monitor)
) strict, without rowid;

create index match_monitor on monitor_match (monitor, domain, named);

create table escalation (
  number integer primary key,
  id text not null unique,
  account text not null,
  domain integer not null references domain (number) on delete cascade,
  name text not null,
  type text not null,
  created_ms integer not null,
  updated_ms integer not null,
  created_by text not null,
  -- Of those that somebody outside is told: waiting, submitted or failed. A lease puts next_ms off.
  submission text,
  attempts integer not null default 0,
  error text,
  next_ms integer,
  unique (domain, type)
) strict;

create index escalation_account on escalation (account, type, number);
create index escalation_blocked on escalation (account, name, created_ms) where type = 'blocked';
create index escalation_waiting on escalation (next_ms) where submission = 'waiting';

-- Numbers are never used again, even where the last event was pruned.
create table event (
  number integer primary key autoincrement,
  account text not null,
  kind text not null,
  at_ms integer not null,
  domain_id text not null,
  domain text not null,
  -- JSON.
  monitor_ids text not null,
  detail text not null
) strict;

create index event_account on event (account, kind);
create index event_time on event (at_ms);

create table subscription (
  number integer primary key,
  id text not null unique,
  account text not null,
  means text not null,
  target text not null,
  -- JSON.
  events text not null,
  every text not null,
  seed text not null,
  created_by text not null,
  created_ms integer not null,
  told_id integer not null,
  failures integer not null default 0,
  error text,
  next_ms integer not null,
  held_until_ms integer
) strict;

create index subscription_account on subscription (account);
create index subscription_due on subscription (next_ms);

create table blocklist (
  account text primary key,
  version integer not null default 0,
  edition integer not null default 1
) strict, without rowid;

-- Single numbers: the version of all monitors, the place in the log of updates.
create table counter (
  name text primary key,
  value integer not null
) strict, without rowid;

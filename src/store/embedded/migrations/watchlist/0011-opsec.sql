-- Which domains are collected without asking their servers anything: those of such monitors, and single ones.
alter table monitor add column passive_only integer not null default 0;

create table passive_domain (
  account text not null,
  -- Punycode.
  domain text not null,
  set_by text not null,
  set_ms integer not null,
  primary key (account, domain)
) strict, without rowid;

create index passive_domain_any on passive_domain (domain);

-- What was asked for a domain, of whom and from where. The newest of each domain are kept.
create table outgoing_request (
  domain text not null,
  at_ms integer not null,
  -- Tells requests of one millisecond apart.
  number integer not null,
  collector text not null,
  protocol text not null,
  host text not null,
  address text,
  port integer not null,
  source text,
  outcome text not null,
  primary key (domain, at_ms, number)
) strict, without rowid;

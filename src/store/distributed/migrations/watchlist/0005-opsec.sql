-- Which domains are collected without asking their servers anything: those of such monitors, and single ones.
alter table monitor add column passive_only boolean not null default false;

create table passive_domain (
  account_id text collate "C",
  -- Punycode.
  domain text collate "C",
  set_by text not null,
  set_ms bigint not null,
  primary key (account_id, domain)
);

create index passive_domain_any on passive_domain (domain);

-- What was asked for a domain, of whom and from where. The newest of each domain are kept.
create table outgoing_request (
  domain text collate "C",
  at_ms bigint,
  -- Tells requests of one millisecond apart.
  number integer,
  collector text not null,
  protocol text not null,
  host text not null,
  address text,
  port integer not null,
  source text,
  outcome text not null,
  primary key (domain, at_ms, number)
);

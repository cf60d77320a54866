-- By which sensors domains on watchlists were seen resolved; of all accounts, who share the sensors.
create table sighting (
  -- Punycode.
  domain text not null,
  -- dnstap, zeek, eve or passive-dns.
  sensor text not null,
  first_seconds integer not null,
  last_seconds integer not null,
  count integer not null,
  primary key (domain, sensor)
) strict, without rowid;

-- The domains on watchlists of any account. Those whose past is not read yet are not counted.
create table sighted_domain (
  domain text primary key,
  counted integer not null default 0
) strict, without rowid;

create index sighted_domain_pending on sighted_domain (domain) where counted = 0;

-- Which sensor the observations of an import are of.
create table sighting_import (
  import text primary key,
  sensor text not null
) strict, without rowid;

-- When the account was last notified that somebody resolved the domain.
alter table domain add column resolved_event_ms integer;

insert into sighted_domain (domain) select distinct name from domain;

create trigger sighted_domain_added after insert on domain
when not exists (select 1 from sighted_domain where domain = new.name) begin
  insert into sighted_domain (domain) values (new.name);
end;

create trigger sighted_domain_removed after delete on domain
when not exists (select 1 from domain where name = old.name) begin
  delete from sighting where domain = old.name;
  delete from sighted_domain where domain = old.name;
end;

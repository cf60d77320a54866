-- By which sensors domains on watchlists were seen resolved; of all accounts, who share the sensors.
create table sighting (
  -- Punycode.
  domain text collate "C",
  -- dnstap, zeek, eve or passive-dns.
  sensor text,
  first_seconds bigint not null,
  last_seconds bigint not null,
  count bigint not null,
  primary key (domain, sensor)
);

-- The domains on watchlists of any account. Those whose past is not read yet are not counted.
create table sighted_domain (
  domain text collate "C" primary key,
  counted boolean not null default false
);

create index sighted_domain_pending on sighted_domain (domain) where not counted;

-- Which sensor the observations of an import are of.
create table sighting_import (
  import text collate "C" primary key,
  sensor text not null
);

-- When the account was last notified that somebody resolved the domain.
alter table watchlist_domain add column resolved_event_ms bigint;

-- Names that left the watchlist of one account may be on that of another.
create index watchlist_domain_any_name on watchlist_domain (name);

insert into sighted_domain (domain) select distinct name from watchlist_domain;

create function note_sighted_domains() returns trigger language plpgsql set search_path from current as $$
begin
  -- An update locks the row, so that it is not removed before this account is seen to have the domain.
  insert into sighted_domain (domain) select distinct name from added order by name
    on conflict (domain) do update set counted = sighted_domain.counted;
  return null;
end $$;

create trigger sighted_domain_added after insert on watchlist_domain
  referencing new table as added for each statement execute function note_sighted_domains();

create function remove_sighted_domains() returns trigger language plpgsql set search_path from current as $$
declare
  gone text[];
begin
  -- Locked first: an account that adds one of them meanwhile waits for this, or this for it.
  perform 1 from sighted_domain where domain in (select name from removed) order by domain for update;
  select array_agg(distinct name) into gone from removed
    where not exists (select 1 from watchlist_domain where watchlist_domain.name = removed.name);
  delete from sighting where domain = any(gone);
  delete from sighted_domain where domain = any(gone);
  return null;
end $$;

create trigger sighted_domain_removed after delete on watchlist_domain
  referencing old table as removed for each statement execute function remove_sighted_domains();

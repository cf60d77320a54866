-- What may link the domains on watchlists of any account, as it was last read from their records.
create table domain_link (
  -- Punycode.
  domain text primary key,
  -- JSON.
  links text not null default '[]',
  read_ms integer not null default 0,
  -- Rises with every change of the record, or when a domain comes onto a list; what is later than read_version is still to be read.
  version integer not null default 1,
  read_version integer not null default 0
) strict, without rowid;

create index domain_link_unread on domain_link (domain) where version > read_version;
create index domain_link_read on domain_link (read_ms);

-- Accounts in which something has changed since campaigns were last found: version is later than found_version.
create table campaign_account (
  account text primary key,
  version integer not null default 0,
  found_version integer not null default 0
) strict, without rowid;

create index campaign_account_changed on campaign_account (account) where version > found_version;

create table campaign (
  number integer primary key autoincrement,
  id text not null unique,
  account text not null,
  name text not null,
  note text not null default '',
  -- active, closed or forgotten
  state text not null default 'active',
  followed integer not null default 0,
  -- found or made
  origin text not null,
  created_by text,
  created_ms integer not null,
  last_joined_ms integer not null
) strict;

create index campaign_latest on campaign (account, last_joined_ms, number);

create table campaign_member (
  campaign integer not null references campaign (number) on delete cascade,
  -- Punycode.
  domain text not null,
  account text not null,
  -- member, removed (by a person) or forgotten (with the campaign)
  state text not null default 'member',
  -- found or added
  origin text not null,
  joined_ms integer not null,
  first_seen_ms integer not null,
  -- JSON: what linked it to the others when it joined.
  links text not null default '[]',
  primary key (campaign, domain)
) strict, without rowid;

create unique index campaign_member_domain on campaign_member (account, domain) where state = 'member';
create index campaign_member_any on campaign_member (account, domain);

-- Values that members share, or shared.
create table campaign_link (
  campaign integer not null references campaign (number) on delete cascade,
  kind text not null,
  value text not null,
  domains integer not null,
  known integer not null,
  first_ms integer not null,
  last_ms integer not null,
  weight real not null,
  primary key (campaign, kind, value)
) strict, without rowid;

insert into domain_link (domain) select distinct name from domain;

create trigger domain_link_added after insert on domain begin
  insert into domain_link (domain) values (new.name) on conflict do update set version = version + 1;
end;

-- Every change of a record sets the name servers, be they others or not.
create trigger domain_link_changed after update of name_servers on domain begin
  update domain_link set version = version + 1 where domain = new.name;
end;

create trigger domain_link_removed after delete on domain
when not exists (select 1 from domain where name = old.name) begin
  delete from domain_link where domain = old.name;
end;

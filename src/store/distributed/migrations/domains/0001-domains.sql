-- Substring search.
create extension if not exists pg_trgm with schema public;

-- One row, which is locked before records are written: there is one writer at a time, so that numbers are given in the order of commits.
create table record_state (
  one boolean primary key default true check (one),
  -- Part of every key, so that nobody outside can make two values collide.
  salt bytea not null,
  -- Another one after every change of records and their index, so that statements of their own can see whether they read one moment.
  version bigint not null default 0,
  -- Ids of domains are 1 and up, without a gap, and no row is ever removed.
  last_domain_id int not null default 0,
  last_change_id bigint not null default 0,
  last_update_id bigint not null default 0
) with (fillfactor = 20);
insert into record_state (salt) values (substring(sha256(uuid_send(gen_random_uuid())) from 1 for 8));

create table record_domain (
  id int primary key,
  -- Punycode, lower case.
  name text collate "C" not null,
  constraint record_domain_name unique (name)
);
-- Of an expression, since the index would be used for whole names too, and is slow for them. Names are lower case.
create index record_domain_part on record_domain using gin (lower(name) gin_trgm_ops) with (gin_pending_list_limit = 256);

-- JSON, with the keys of its values in the order in which they are shown, eight bytes each.
create table record (
  id int primary key,
  record text compression lz4 not null,
  root_keys bytea not null,
  whois_keys bytea not null,
  rdap_keys bytea not null
) with (fillfactor = 90);

-- Which domains have a value; the texts themselves are in the records alone.
create table record_value (
  -- A keyed hash of attribute and folded value.
  key bigint primary key,
  domains int not null,
  -- Differences of the ids, seven bits a byte. Null where there are many, and pages hold them.
  ids bytea
) with (fillfactor = 90);

-- Pages of 8192 ids, so that a row is small enough to be changed in one go.
create table record_value_page (
  key bigint not null,
  page int not null,
  -- The lower thirteen bits of each id in order, two bytes each, or 1024 bytes with a bit for each.
  ids bytea not null,
  primary key (key, page)
) with (fillfactor = 80);

-- Numbers that are compared and sorted by, of 128 domains in a row, eight bytes each, NaN for none.
create table record_number_page (
  -- The column times 2^32, and the upper bits of the ids.
  id bigint primary key,
  numbers bytea not null
) with (fillfactor = 60);

-- Values that are searched by part of their text. A text stays when its last domain has lost it.
create table record_text_value (
  key bigint primary key,
  attribute text not null,
  folded text not null
);
create index record_text_value_part on record_text_value using gin (folded gin_trgm_ops) with (gin_pending_list_limit = 256);

-- Words of the latest WHOIS texts, and a hash of each distinct word.
create table record_whois (
  id int primary key,
  words text compression lz4 not null,
  terms int[] not null
);
-- New entries wait in a list that every search reads, so it is kept short.
create index record_whois_terms on record_whois using gin (terms) with (gin_pending_list_limit = 256);

-- The same of texts that are no longer the latest, each once.
create table record_past_whois (
  domain_id int not null,
  digest bytea not null,
  words text compression lz4 not null,
  terms int[] not null,
  primary key (domain_id, digest)
);
create index record_past_whois_terms on record_past_whois using gin (terms) with (gin_pending_list_limit = 256);

-- JSON of a member before and after it changed; null where there was none.
create table record_change (
  id bigint primary key,
  domain_id int not null,
  at_ms bigint not null,
  field text not null,
  before text compression lz4,
  after text compression lz4,
  source text not null
);
create index record_change_domain on record_change (domain_id, at_ms, id);

-- Every update that changed something, for those who follow records.
create table record_update (
  id bigint primary key,
  domain_id int not null,
  at_ms bigint not null,
  -- By our clock, whatever an import says about when it saw the record.
  written_ms bigint not null,
  source text not null,
  -- Members that changed; null where the record is new.
  fields text[]
);

-- Results of searches that somebody reads page by page.
create table result_snapshot (
  name text primary key,
  until_ms bigint not null,
  -- Ids in their order, eight bytes each.
  ids bytea not null
);
create index result_snapshot_until on result_snapshot (until_ms);

-- Domains have tags by id, so that a tag is renamed, merged or deleted in one row, whatever number of domains have it.
create table domain_tag (
  -- Random, so that an id says nothing about the tags of others.
  id bigint primary key,
  account_id text not null,
  -- Of an own tag the id of its user; empty for tags of the team.
  user_id text not null,
  folded text not null,
  label text not null,
  colour text not null default 'grey',
  expires_ms bigint,
  created_by text,
  created_ms bigint not null,
  used_ms bigint not null,
  -- Rows of `tagged_domain` with this id.
  domains int not null,
  -- Null for a tag that exists. Else its rows are still to be moved to the tag that it was merged into, or removed (0).
  into_id bigint
);
create unique index domain_tag_name on domain_tag (account_id, folded, user_id) where into_id is null;
create index domain_tag_leftover on domain_tag (into_id) where into_id is not null;
create index domain_tag_expiry on domain_tag (expires_ms) where expires_ms is not null and into_id is null;

create table tagged_domain (
  account_id text not null,
  domain_id bigint not null,
  tag_id bigint not null,
  tagged_ms bigint not null,
  primary key (account_id, domain_id, tag_id)
);
create index tagged_domain_tag on tagged_domain (tag_id, domain_id);

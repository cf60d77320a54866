-- Part of every key, so that nobody outside can make two values collide.
create table salt (bytes blob not null) strict;
insert into salt (bytes) values (randomblob(8));

-- Ids rise, are never used again, and no row is ever removed.
create table domain (
  id integer primary key,
  -- Punycode, lower case.
  name text not null unique
) strict;

-- JSON. Apart from the names, which are read far more often.
create table record (
  id integer primary key,
  record text not null
) strict;

-- Which domains have a value; the texts themselves are in the records alone.
create table value (
  -- A keyed hash of attribute and folded value.
  key integer primary key,
  domains integer not null,
  -- A single id as it is; a few as differences in seven bits a byte. Null where there are many, and chunks hold them.
  ids any
) strict;

create table value_chunk (
  key integer not null,
  -- The upper bits of the ids: 65536 to a chunk.
  chunk integer not null,
  -- The lower sixteen bits of each id in order, or 8192 bytes with a bit for each.
  ids blob not null,
  primary key (key, chunk)
) strict, without rowid;

-- Numbers that are compared and sorted by, 1024 domains to a row, eight bytes each, NaN for none.
create table number_chunk (
  -- The column times 2^32, and the upper bits of the ids.
  id integer primary key,
  numbers blob not null
) strict;

-- Words of the latest WHOIS texts, by id of the domain.
create virtual table whois using fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'ascii'
);

-- Words of WHOIS texts that are no longer the latest: id of the domain times 2^20, and a number.
create virtual table past_whois using fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'ascii'
);
create table past_text (
  id integer primary key,
  digest blob not null
) strict;

-- Trigrams of names, by id of the domain.
create virtual table name_part using fts5 (
  name, content = '', detail = none, tokenize = 'trigram case_sensitive 1'
);

-- Values that are searched by part of their text.
create table text_value (
  id integer primary key,
  key integer not null unique,
  attribute text not null,
  folded text not null
) strict;
create virtual table value_part using fts5 (
  folded, content = '', detail = none, tokenize = 'trigram case_sensitive 1'
);

-- JSON of a member before and after it changed; null where there was none.
create table change (
  id integer primary key,
  domain_id integer not null,
  at_ms integer not null,
  field text not null,
  before text,
  after text,
  source text not null
) strict;
create index change_domain on change (domain_id, at_ms, id);

create table tag (
  account_id text not null,
  -- Empty for tags of the team.
  user_id text not null,
  domain_id integer not null,
  folded text not null,
  label text not null,
  tagged_ms integer not null,
  primary key (account_id, domain_id, user_id, folded)
) strict, without rowid;
create index tag_label on tag (account_id, folded, domain_id);

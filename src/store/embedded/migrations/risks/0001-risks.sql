create table list (
  id integer primary key,
  name text not null unique,
  -- Of its newest reading.
  label text not null,
  reading_id integer not null,
  -- Of the newest that was read to its end.
  read_ms integer,
  place text
) strict;

-- What a reading says of all that it names, so that a listed domain needs no more than its number.
create table reading (
  number integer primary key autoincrement,
  list integer not null references list (id),
  id integer not null,
  label text not null,
  weight real not null,
  until_ms integer,
  -- How many listed domains are of this reading, and of no later one.
  domains integer not null default 0
) strict;

create index reading_list on reading (list, id);

-- About 28 bytes for a domain of 16. Those of a reading are found by looking at all: an index would have to change with every reading.
create table listed (
  domain text not null,
  list integer not null,
  reading integer not null,
  rank integer,
  primary key (domain, list)
) strict, without rowid;

create table verdict_change (
  id integer primary key autoincrement,
  domain text not null
) strict;

-- Known bad domains that left links, and the links with how many left each and the greatest weight of these.
create table bad_domain (
  id integer primary key,
  name text not null unique,
  weight real not null
) strict;

create table link (
  id integer primary key,
  key text not null unique,
  domains integer not null,
  weight real not null
) strict;

-- In this order the weightiest domains of a link are its last rows.
create table bad_link (
  link integer not null,
  weight real not null,
  domain integer not null,
  primary key (link, weight, domain)
) strict, without rowid;

create index bad_link_domain on bad_link (domain);

create table total (
  bad_domains integer not null,
  bad_links integer not null
) strict;

insert into total values (0, 0);

create table reader (
  name text primary key,
  place integer not null
) strict, without rowid;

-- A store that is made anew goes on behind the numbers of the one before it: others may remember how far they had come.
insert into verdict_change (id, domain) values (cast(unixepoch('subsec') * 1000 as integer), '');
delete from verdict_change;

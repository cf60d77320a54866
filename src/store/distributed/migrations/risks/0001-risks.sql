-- Reputation lists. `label` and `snapshot_id` are of the newest snapshot, `read_ms` and `checkpoint` of the newest that was read to its end.
-- A transaction that changes what is on a list has the lock of its row until commit.
create table reputation_list (
  id          bigint generated always as identity primary key,
  name        text collate "C" not null unique,
  label       text not null,
  snapshot_id bigint not null,
  read_ms     bigint,
  checkpoint  text
);

-- What a snapshot says about all that it lists, and how many listed domains are of it and of no later one.
create table reputation_snapshot (
  number   bigint generated always as identity primary key,
  list     bigint not null references reputation_list (id),
  id       bigint not null,
  label    text not null,
  weight   double precision not null,
  until_ms bigint,
  domains  bigint not null default 0
);

create index reputation_snapshot_list on reputation_snapshot (list, id);

-- `snapshot` and `rank` are in no index: every snapshot changes all rows of its list, in place while a page has room.
create table listed_domain (
  list     bigint not null,
  domain   text collate "C" not null,
  snapshot bigint not null,
  rank     bigint,
  primary key (list, domain)
) with (fillfactor = 60);

create index listed_domain_domain on listed_domain (domain);

-- A transaction that appends has an advisory lock until commit, so that changes appear in the order of their ids.
create table verdict_change (
  id     bigint generated always as identity primary key,
  domain text not null
);

-- Known bad domains with links, and the links with how many of these domains have each and the greatest weight of these.
create table bad_domain (
  id     bigint generated always as identity primary key,
  name   text collate "C" not null unique,
  weight double precision not null
);

-- The key may be any text, of any length and with any character.
create table risk_link (
  id      bigint primary key,
  digest  bytea not null unique,
  key     bytea not null,
  domains bigint not null,
  weight  double precision not null
) with (fillfactor = 70);

create sequence risk_link_id;

-- In this order the domains of a link with the greatest weight are its last rows.
create table bad_link (
  link   bigint not null,
  weight double precision not null,
  domain bigint not null,
  primary key (link, weight, domain)
);

create index bad_link_domain on bad_link (domain, link);

create table risk_total (
  id          int primary key check (id = 1),
  bad_domains bigint not null,
  bad_links   bigint not null
);

insert into risk_total values (1, 0, 0);

create table risk_checkpoint (
  consumer   text primary key,
  checkpoint text not null
);

-- Tables that are made anew go on behind the numbers of those before: consumers may remember how far they had got.
select setval(pg_get_serial_sequence('verdict_change', 'id'), (extract(epoch from clock_timestamp()) * 1000)::bigint);

-- Domains have tags by id, so that a tag is renamed, merged or deleted in one row, whatever number of domains have it.
create table tag_definition (
  -- Random, so that an id says nothing about the tags of others.
  id integer primary key,
  account_id text not null,
  -- Of an own tag the id of its user; empty for tags of the team.
  user_id text not null,
  folded text not null,
  label text not null,
  colour text not null default 'grey',
  expires_ms integer,
  -- The name of who made it; null for tags of before this table.
  created_by text,
  created_ms integer not null,
  used_ms integer not null,
  -- Rows of `tagged` with this id.
  domains integer not null,
  -- Null for a tag that exists. Else its rows are still to be moved to the tag that it was merged into, or removed (0).
  into_id integer
) strict;

insert into tag_definition (id, account_id, user_id, folded, label, created_ms, used_ms, domains)
-- The label as it was first written: SQLite takes other columns from the row that has the minimum.
select abs(random()) >> 15, account_id, user_id, folded, label, min(tagged_ms), used_ms, domains
from (
  select account_id, user_id, folded, label, tagged_ms,
    max(tagged_ms) over named as used_ms, count(*) over named as domains
  from tag window named as (partition by account_id, user_id, folded)
)
group by account_id, user_id, folded;

create unique index tag_name on tag_definition (account_id, folded, user_id) where into_id is null;
create index tag_leftover on tag_definition (into_id) where into_id is not null;
create index tag_expiry on tag_definition (expires_ms) where expires_ms is not null and into_id is null;

create table tagged (
  account_id text not null,
  domain_id integer not null,
  tag_id integer not null,
  tagged_ms integer not null,
  primary key (account_id, domain_id, tag_id)
) strict, without rowid;

insert into tagged
select account_id, domain_id, tag_definition.id, tagged_ms
from tag join tag_definition using (account_id, user_id, folded)
where into_id is null;

create index tagged_tag on tagged (tag_id, domain_id);

drop table tag;

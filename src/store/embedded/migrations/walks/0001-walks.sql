-- Results of searches that somebody is walking through, page by page.
create table walk (
  name text primary key,
  until_ms integer not null,
  -- Ids in their order, four bytes each.
  ids blob not null
) strict;

create index walk_until on walk (until_ms);

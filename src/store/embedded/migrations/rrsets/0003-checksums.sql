-- The version of the format of a segment's files: 1 has no checksums in its blocks, 2 has.
alter table run add column format integer not null default 1;

-- A checksum over all rows of `run` except their claims, so that a row that is lost or altered is noticed. Null until the
-- list changes for the first time, which computes it.
create table list_checksum (
  checksum integer
) strict;
insert into list_checksum (checksum) values (null);

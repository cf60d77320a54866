-- Lines of small appends that are in their segment file, but not synced there: a power failure may take them from it, and then they are
-- written again from here. The next sync of the file removes them.
create table unsynced (
  stream text not null,
  minute integer not null,
  -- Where they begin in the segment.
  position integer not null,
  bytes blob not null,
  primary key (stream, minute, position)
) strict, without rowid;

-- How many of the confirmed bytes are lines in `unsynced`: the last ones.
alter table segment add column unsynced_bytes integer not null default 0;

-- From here on `stream` has the bytes and lines of a stream without segments; of others, its last segment says where it ends.

-- Changes of posting lists that are not yet in `value` and `value_chunk`. A run has those of one transaction in the order of their keys,
-- in blocks; later runs come after earlier ones.
create table pending_posting (
  -- The run times 65536, and the number of the block.
  id integer primary key,
  first_key integer not null,
  -- All keys, eight bytes each, then for each key four bytes: the id of the domain times two, plus one where it is added.
  changes blob not null
) strict;

-- One row.
create table posting_state (
  -- A random number, another one with every change of pending changes, so that a reader knows whether it has read them.
  version integer not null,
  -- Runs are numbered from 1, and no number is used again.
  last_run integer not null,
  -- Changes of runs up to this one, of keys below this key, are in the tables already. 0 where nothing is being merged.
  merging_run integer not null,
  merging_below integer not null
) strict;
insert into posting_state (version, last_run, merging_run, merging_below) values (0, 0, 0, 0);

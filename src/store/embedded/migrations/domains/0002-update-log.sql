-- Every update that changed something, for those who follow records. The last row is never removed, so that ids rise for ever.
create table update_log (
  id integer primary key,
  domain_id integer not null,
  at_ms integer not null,
  -- By our clock, whatever an import says about when it saw the record.
  written_ms integer not null,
  source text not null,
  -- JSON of the names of members that changed; null where the record is new.
  fields text
) strict;

-- Runs in the order in which they were published, and whether what is new in a run has been told. Everything that was
-- known before an untold run has a smaller sequence; a merged run takes the greatest of its parts.
alter table run add column sequence integer not null default 0;
alter table run add column told integer not null default 1;
update run set sequence = (select count(*) from run as earlier where earlier.name <= run.name);
create unique index run_by_sequence on run (sequence);
create index untold_run on run (sequence) where told = 0;

-- The last sequence that was given, so that none is ever given twice.
create table last_sequence (
  sequence integer not null
) strict;
insert into last_sequence (sequence) select count(*) from run;

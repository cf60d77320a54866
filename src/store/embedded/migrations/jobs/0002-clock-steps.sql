-- When the times of a job were set: those from later than now were set by a clock that was ahead.
alter table job add column set_ms integer not null default 0;

-- About the latest time at which jobs were set.
create table clock (
  id      integer primary key check (id = 1),
  seen_ms integer not null
) strict;

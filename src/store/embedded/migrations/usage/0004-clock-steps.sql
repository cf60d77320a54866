-- One row for each of the last windows of a counter: a clock that returns to a window finds what was used in it. `n` numbers the
-- windows of a counter in the order in which they were first charged. A block has the one window 0.
alter table window_count rename to window_count_before;

create table window_count (
  counter   text not null,
  window_ms integer not null,
  used      integer not null,
  n         integer not null,
  primary key (counter, window_ms)
) strict, without rowid;

insert into window_count select counter, window_ms, used, 1 from window_count_before;
drop table window_count_before;

-- Likewise the requests of the last days and months.
alter table tally rename to tally_before;

create table tally (
  owner     text not null,
  item      text not null,
  period    text not null check (period in ('day', 'month')),
  window_ms integer not null,
  used      integer not null,
  n         integer not null,
  primary key (owner, item, period, window_ms)
) strict, without rowid;

insert into tally select owner, item, 'day', day_ms, today, 1 from tally_before;
insert into tally select owner, item, 'month', month_ms, month, 1 from tally_before;
drop table tally_before;

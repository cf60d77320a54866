-- What people answered to suggested changes of monitors.
create table suggestion_answer (
  number integer primary key autoincrement,
  id text not null unique,
  account text not null,
  -- Names the change, whenever it is suggested.
  suggestion text not null,
  -- The id of the monitor, which may have been deleted since.
  monitor text not null,
  kind text not null,
  value text not null,
  -- accepted or dismissed
  outcome text not null,
  username text not null,
  at_ms integer not null,
  -- Decisions that it was drawn from.
  ignored integer not null,
  kept integer not null,
  undone_by text,
  undone_ms integer
) strict;

create index suggestion_answer_account on suggestion_answer (account, number);

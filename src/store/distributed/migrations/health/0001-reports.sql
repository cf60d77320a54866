-- The newest report of every process of every node, as JSON. Worth nothing after a minute, and need not survive a crash.
create unlogged table process_report (
  process    text primary key,
  started_ms bigint not null,
  at_ms      bigint not null,
  report     text not null
) with (fillfactor = 50);

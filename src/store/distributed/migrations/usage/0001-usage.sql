-- Numbers of use. `kind` is `window` (a calendar window, by its first millisecond, or a block, whose window is 0; `value` is what was used),
-- `bucket` (`value` is when it will be full again, in microseconds since the epoch) or `sliding` (`value` is the number of the last grant,
-- `at_ms` its time). `entered` numbers rows in the order in which they were made: the last eight windows of a counter are kept, so that a
-- clock that returns to a window finds what was used in it.
create table usage_count (
  counter   text collate "C" not null,
  kind      text collate "C" not null,
  window_ms bigint not null,
  value     bigint not null default 0,
  at_ms     bigint not null default 0,
  entered   bigint not null generated always as identity,
  primary key (counter, kind, window_ms)
) with (fillfactor = 50);

-- The grants inside sliding windows, as many as the limit is wide. Times never decrease with `n`.
create table usage_grant (
  counter text collate "C" not null,
  n       bigint not null,
  at_ms   bigint not null,
  primary key (counter, n)
);

-- Requests of the last eight days and months with any.
create table usage_tally (
  owner     text collate "C" not null,
  item      text collate "C" not null,
  period    text collate "C" not null check (period in ('day', 'month')),
  window_ms bigint not null,
  used      bigint not null,
  entered   bigint not null generated always as identity,
  primary key (owner, item, period, window_ms)
) with (fillfactor = 50);

-- As JSON, since it may have any character.
create table usage_text (
  name text primary key,
  text text not null
);

create table usage_claim (
  id         bytea primary key,
  expires_ms bigint not null,
  uses       bigint not null
);

create index usage_claim_expiry on usage_claim (expires_ms);

-- The last call of each sender and its outcome. A sender has one call under way at a time; one whose connection was lost is repeated, and is
-- answered from here if it was done.
create table usage_call (
  sender  uuid primary key,
  number  bigint not null,
  outcome bigint[] not null,
  at      timestamptz not null default now()
) with (fillfactor = 50);

-- Requests by day, user and item, for the last 40 days on which an account had any.
create table daily_use (
  account_id text not null,
  day_ms     bigint not null,
  username   text collate "C" not null,
  item       text collate "C" not null,
  used       bigint not null,
  primary key (account_id, day_ms, username, item)
) with (fillfactor = 70);

-- When and from where the keys of a user were last used, and last refused.
create table key_use (
  user_id         text primary key,
  at_ms           bigint,
  address         text,
  refused_ms      bigint,
  refused_address text,
  refused_why     text
) with (fillfactor = 70);

-- The outcome of a call that was done already; null if it was not. Waits for an earlier attempt that is still under way.
create function usage_outcome(of_sender uuid, of_number bigint) returns bigint[] language plpgsql as $$
declare
  last usage_call;
begin
  loop
    select * into last from usage_call where sender = of_sender for update;
    exit when found;
    insert into usage_call (sender, number, outcome) values (of_sender, 0, '{}') on conflict do nothing;
  end loop;
  return case when last.number >= of_number then last.outcome end;
end
$$;

-- Granted requests by day, user and item (a product, or an API with keys of its own), for the last 40 days on which there were any.
create table daily_use (
  account_id text not null,
  day_ms     integer not null,
  username   text not null, -- empty: by whom was not recorded
  item       text not null,
  used       integer not null,
  primary key (account_id, day_ms, username, item)
) strict, without rowid;

insert into daily_use (account_id, day_ms, username, item, used)
select substr(owner, 9), window_ms, '', item, used from tally where period = 'day' and owner like 'account:%';

-- When and from where the keys of a user were last used, and last refused.
create table key_use (
  user_id         text primary key,
  at_ms           integer,
  address         text,
  refused_ms      integer,
  refused_address text,
  refused_why     text -- expired, address
) strict, without rowid;

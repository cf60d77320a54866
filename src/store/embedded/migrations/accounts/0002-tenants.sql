-- `ingest` no longer includes `read`. Users who have nothing else keep what they could do.
update user set permissions = json_insert(permissions, '$[#]', 'read')
where exists (select 1 from json_each(permissions) where value = 'ingest')
  and not exists (select 1 from json_each(permissions) where value <> 'ingest');

-- The username in lower case. Of users whose names differ by case alone only the first has it: they stay, and there are no new ones.
alter table user add column folded text;
update user set folded = lower(username)
where rowid in (select min(rowid) from user group by lower(username));
create unique index user_folded on user (folded);
create index user_any_case on user (username collate nocase);

-- JSON array of the APIs with keys of their own that are withdrawn from the account: pdns, batch.
alter table account add column withdrawn text not null default '[]';

-- The accounts that may append to channels beyond the built-in ones.
create table channel_owner (
  channel    integer primary key,
  account_id text not null references account (id)
) strict;

create index channel_owner_account on channel_owner (account_id);

-- Where there is one account, nobody else can have appended to its channels.
with recursive channel (number) as (select 1 union all select number + 1 from channel where number < 255)
insert into channel_owner (channel, account_id)
select number, account.id from channel, account
where number not in (204, 211, 212, 213, 214, 220, 221) and (select count(*) from account) = 1;

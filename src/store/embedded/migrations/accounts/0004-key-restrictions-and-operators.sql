-- Addresses and prefixes from which the keys of a user work, as a JSON array; empty: from everywhere.
alter table user add column addresses text not null default '[]';

-- The products that the API key may use, as a JSON array; null: all of the account.
alter table user add column products text;

-- The user whose passive DNS grant and quota this one shares; `pdns` is null then.
alter table user add column pdns_shared_with text references user (id) on delete set null;

-- Who created the user, from the audit log; null where it does not say.
alter table user add column created_by text;
update user set created_by = found.actor
from (select username, actor, max(number) from audit where action = 'user.create' group by username) as found
where found.username = user.username;

-- People who see how the whole server does, whatever account they belong to.
alter table person add column operator integer not null default 0;

-- Since when the person cannot sign in; null: can.
alter table person add column disabled_ms integer;

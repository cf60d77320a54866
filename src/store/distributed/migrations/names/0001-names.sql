-- Every domain that a source has reported, and when it was first. There may be hundreds of millions: each partition has an index of its own.
create table reported_name (
  name         text collate "C" primary key,
  seen_seconds bigint not null
) partition by hash (name);

do $$
begin
  for number in 0..15 loop
    execute format(
      'create table reported_name_%s partition of reported_name for values with (modulus 16, remainder %s)', number, number);
  end loop;
end
$$;

-- Domains that wait to be published, in batches. A batch grows until it was read for the first time, and is sealed then.
create table name_batch (
  number    bigint primary key,
  domains   bigint not null,
  is_sealed boolean not null default false
);

create table unpublished_name (
  batch   bigint not null,
  name    text collate "C" not null,
  seen_ms bigint not null,
  source  text not null,
  primary key (batch, name)
);

create table name_source (
  name       text primary key,
  checkpoint text not null
);

-- Its one row is locked by every transaction that adds to a batch or seals one, until commit: batches appear in the order of their numbers.
create table name_total (
  id         int primary key check (id = 1),
  domains    bigint not null,
  last_batch bigint not null
);

-- Tables that are made anew go on behind the numbers of those before: streams remember how far batches were published.
insert into name_total values (1, 0, (extract(epoch from clock_timestamp()) * 1000)::bigint);

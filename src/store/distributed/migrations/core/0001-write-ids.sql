-- Transactions that were committed, so that one whose outcome is unknown is never done twice.
create table write_id (id uuid primary key, at timestamptz not null default now());
create index write_id_at on write_id (at);

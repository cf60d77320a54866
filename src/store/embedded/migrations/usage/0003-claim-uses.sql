-- How often a claim was used: some may be used more than once.
alter table claim add column uses integer not null default 1;

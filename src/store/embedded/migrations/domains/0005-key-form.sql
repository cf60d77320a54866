-- 1: keys hash attribute and value together. 2: they hash the value, and the attribute is in their lower half. A database that has
-- domains keeps the form of the keys that are stored in it.
alter table salt add column key_form integer not null default 1;
update salt set key_form = 2 where not exists (select 1 from domain);

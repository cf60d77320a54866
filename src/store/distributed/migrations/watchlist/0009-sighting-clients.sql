-- How many distinct clients resolved a domain on the last day that had any, as an estimate; null where it is not counted.
alter table sighting add column clients_day text;
alter table sighting add column clients bigint;

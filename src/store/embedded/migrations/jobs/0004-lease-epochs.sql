-- Greater with every change of the holder: what a former holder still writes is refused by it.
alter table lease add column epoch integer not null default 0;

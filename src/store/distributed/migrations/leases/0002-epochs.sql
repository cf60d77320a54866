-- Greater with every change of the holder: what a former holder still writes is refused by it.
alter table lease add column epoch bigint not null default 0;

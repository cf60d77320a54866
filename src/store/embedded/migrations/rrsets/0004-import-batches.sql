-- The batches of each import, with the numbers of domains and host names that were new in them. These are null until the batch
-- is published, by whichever process.
create table import_batch (
  sequence integer primary key,
  import text not null,
  domains integer,
  hosts integer
) strict;
create index import_batch_by_import on import_batch (import);

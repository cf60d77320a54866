-- Objects in S3 that no other row names: being uploaded, or no longer needed. The transaction that makes a row which names one removes it from here.
-- What is older than a day is deleted.
create table unused_object (
  key text primary key,
  since timestamptz not null default now(),
  -- Of a multipart upload.
  upload_id text,
  -- From then on no row may name it.
  is_deleting boolean not null default false
);
create index unused_object_since on unused_object (since);

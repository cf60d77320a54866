-- Images in S3, each stored once, whichever domains show it.
create table image (
  -- SHA-256 of its bytes.
  hash text collate "C" primary key,
  bytes bigint not null,
  mimetype text not null,
  width integer not null,
  height integer not null,
  pixel_hash text not null,
  -- Captures that show it; a row without any is deleted.
  captures bigint not null,
  -- 16 hex digits: images that resemble each other have hashes that differ in few bits. Null until it is computed, empty if it cannot be.
  perceptual_hash text collate "C",
  object text not null
);
create index image_unhashed on image (hash) where perceptual_hash is null;
create index image_perceptual on image (perceptual_hash) where perceptual_hash > '';

create table capture (
  domain text collate "C" not null,
  captured_ms bigint not null,
  seen_ms bigint not null,
  attempted_ms bigint not null,
  url text not null,
  ip_address text,
  hash text collate "C" not null references image (hash),
  -- By a newer one of the domain.
  is_replaced boolean not null default false,
  primary key (domain, captured_ms)
);
create unique index capture_newest on capture (domain) where not is_replaced;
create index capture_replaced on capture (captured_ms) where is_replaced;
create index capture_hash on capture (hash);

-- The last attempt that gave no image.
create table capture_failure (
  domain text collate "C" primary key,
  failed_ms bigint not null,
  reason text not null
);

-- Its lock is held by every transaction that adds, changes or deletes images.
create table image_total (
  one boolean primary key default true check (one),
  domains bigint not null default 0,
  images bigint not null default 0,
  bytes bigint not null default 0
);
insert into image_total default values;

-- The quarters of every perceptual hash, by which hashes nearby are found.
create table perceptual_quarter (
  quarter integer not null,
  bits integer not null,
  perceptual_hash text collate "C" not null,
  primary key (quarter, bits, perceptual_hash)
);

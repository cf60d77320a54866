-- 16 hex digits: images that look alike have hashes that differ in few bits. Null until it is computed, empty if it cannot be.
alter table image add column perceptual_hash text;

create index image_unhashed on image (hash) where perceptual_hash is null;
create index image_perceptual on image (perceptual_hash) where perceptual_hash > '';
-- Which domains show an image now.
create index capture_shown on capture (hash) where replaced = 0;

-- The quarters of every hash, by which hashes nearby are found.
create table perceptual_quarter (
  quarter integer not null,
  bits integer not null,
  perceptual_hash text not null,
  primary key (quarter, bits, perceptual_hash)
) strict, without rowid;

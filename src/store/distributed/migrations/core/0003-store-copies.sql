-- The copy that filled these tables, by `nameglass store copy`. Until it is complete no node starts on them.
create table store_copy (
  one boolean primary key default true check (one),
  -- Identifies the source as it was when the copy began.
  source text not null,
  is_complete boolean not null default false
);

-- What is copied already: a copy that was interrupted goes on behind it.
create table store_copy_part (name text primary key);

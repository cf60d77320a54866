-- What the last counted request of a kind asked, so that whoever goes on with it is known.
create table mark (
  name text primary key,
  text text not null
) strict, without rowid;

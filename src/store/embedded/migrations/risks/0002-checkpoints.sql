-- A checkpoint is any text of its consumer: a position in a log need not be a number.
alter table reader rename to reader_before;

create table reader (
  name text primary key,
  place text not null
) strict, without rowid;

insert into reader select name, cast(place as text) from reader_before;
drop table reader_before;

-- How many names, and how many values, have a trigram: a search begins with the rarest of its part.
create table trigram (
  -- `name` or `value`
  of text not null,
  trigram text not null,
  texts integer not null,
  primary key (of, trigram)
) strict, without rowid;

create virtual table name_terms using fts5vocab ('name_part', 'row');
insert into trigram select 'name', term, doc from name_terms;
drop table name_terms;

create virtual table value_terms using fts5vocab ('value_part', 'row');
insert into trigram select 'value', term, doc from value_terms;
drop table value_terms;

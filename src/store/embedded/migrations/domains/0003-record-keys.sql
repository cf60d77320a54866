-- Keys of the values of a record in the order in which they are shown, eight bytes each: so that a page is counted without taking
-- its records apart. A record without a row here was written before this table was.
create table record_keys (
  id integer primary key,
  root blob not null,
  parsed_whois blob not null,
  parsed_domain_rdap blob not null
) strict;

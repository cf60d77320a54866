-- How messages are written: nameglass, or the format of another service.
alter table subscription add column format text not null default 'nameglass';
-- JSON: what the format needs besides. Tokens in it are encrypted.
alter table subscription add column options text not null default '{}';

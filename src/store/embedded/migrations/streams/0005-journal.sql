-- The journal of small appends, which is the file `appends.journal`: its records count while they begin with this token.
create table journal (
  token integer not null,
  -- So many bytes of its records are in `segment`. What follows is there as well, or was never confirmed, or is still to be added.
  applied_bytes integer not null
) strict;

insert into journal (token, applied_bytes) values (abs(random()) % 281474976710656, 0);

-- From here on `unsynced` has lines only if a version before the journal was killed; they are settled before anything else is done.

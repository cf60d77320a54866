-- A number of a process is used again, in a container even by the next start; with the time of its start it is one process.
alter table lease add column started text not null default '';

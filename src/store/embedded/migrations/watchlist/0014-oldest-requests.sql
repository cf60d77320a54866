-- Finds the oldest requests of all domains, which are removed when there are too many.
create index outgoing_request_time on outgoing_request (at_ms);

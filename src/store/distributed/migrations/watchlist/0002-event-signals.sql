-- Nodes that follow an account are notified of its new events.
create function notify_events() returns trigger language plpgsql as $$
begin
  perform pg_notify(tg_table_schema || '_events', account_id) from (select distinct account_id from added) as grown;
  return null;
end $$;

create trigger watchlist_event_added after insert on watchlist_event
referencing new table as added for each statement execute function notify_events();

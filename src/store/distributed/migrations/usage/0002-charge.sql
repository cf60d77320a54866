-- Charges, one after another: each is granted if no limit of it is exhausted, and then counted in each. The rows of all counters (`slot_…`)
-- are locked first, in the order of their key. Limit `l` of the call is counted in slot `limit_slots[l]`; `limit_spans` is the length of a
-- sliding window in milliseconds, the time of a token in microseconds, or the end of a calendar window (0 for a block). Charge `c` has the
-- next `charge_limits[c]` limits, and is to say what is left of one of them, `charge_remaining[c]` (0 for none).
--
-- Returns two numbers for each charge. Granted: 0, and what is left (-1 where nobody asked). Refused: which of its limits has the longest
-- wait, and how many milliseconds that is (-1 where waiting does not help). A clock that was set back: see docs/decisions/0040-clock-steps.md.
create function usage_charge(
  call_sender uuid, call_number bigint, reordering_ms bigint,
  slot_counters text[], slot_kinds text[], slot_windows bigint[],
  limit_slots int[], limit_sizes bigint[], limit_amounts bigint[], limit_spans bigint[],
  charge_times bigint[], charge_limits int[], charge_remaining int[],
  tally_charges int[], tally_owners text[], tally_items text[], tally_days bigint[], tally_months bigint[],
  text_charges int[], text_names text[], texts text[]
) returns bigint[] language plpgsql
-- By key and never by scanning, however few rows there were when it was planned.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  slots constant int := cardinality(slot_counters);
  charges constant int := cardinality(charge_times);
  endless constant bigint := 9007199254740991;
  done bigint[] := usage_outcome(call_sender, call_number);
  outcomes bigint[] := array_fill(0::bigint, array[2 * charges]);
  granted boolean[] := array_fill(false, array[charges]);
  held_values bigint[];
  held_times bigint[];
  before_values bigint[];
  before_times bigint[];
  -- Grants that are not written yet.
  new_slots int[] := '{}';
  new_numbers bigint[] := '{}';
  new_times bigint[] := '{}';
  added int;
  kept_from bigint[] := array_fill(null::bigint, array[slots]);
  first_limit int := 1;
  last_limit int;
  now_ms bigint;
  slot int;
  wait bigint;
  longest_wait bigint;
  longest_limit int;
  missing bigint;
  empty bigint;
  used bigint;
  remaining bigint;
  has_new_tally boolean;
begin
  if done is not null then return done; end if;

  loop
    select array_agg(value order by number), array_agg(at_ms order by number) into held_values, held_times
    from (
      select s.number, c.value, c.at_ms
      from unnest(slot_counters, slot_kinds, slot_windows) with ordinality s (counter, kind, window_ms, number)
      join usage_count c on c.counter = s.counter and c.kind = s.kind and c.window_ms = s.window_ms
      order by c.counter, c.kind, c.window_ms for update of c
    ) locked;
    exit when coalesce(cardinality(held_values), 0) = slots;
    perform usage_add_slots(slot_counters, slot_kinds, slot_windows);
  end loop;
  before_values := held_values;
  before_times := held_times;

  for charge in 1..charges loop
    now_ms := charge_times[charge];
    last_limit := first_limit + charge_limits[charge] - 1;
    longest_wait := 0;
    longest_limit := 0;
    for l in first_limit..last_limit loop
      slot := limit_slots[l];
      if limit_sizes[l] < limit_amounts[l] then
        wait := endless;
      elsif slot_kinds[slot] = 'window' then
        wait := case
          when held_values[slot] + limit_amounts[l] <= limit_sizes[l] then 0
          when limit_spans[l] = 0 then endless
          else limit_spans[l] - now_ms end;
      elsif slot_kinds[slot] = 'sliding' then
        if held_times[slot] > now_ms + least(reordering_ms, limit_spans[l]) then
          perform usage_add_grants(slot_counters, new_slots, new_numbers, new_times);
          new_slots := '{}';
          update usage_grant set at_ms = now_ms where counter = slot_counters[slot] and at_ms > now_ms;
          held_times[slot] := now_ms;
        end if;
        wait := 0;
        if held_values[slot] >= limit_sizes[l] then
          if held_values[slot] + 1 - limit_sizes[l] > before_values[slot] then
            perform usage_add_grants(slot_counters, new_slots, new_numbers, new_times);
            new_slots := '{}';
          end if;
          select greatest(0, at_ms + limit_spans[l] - now_ms) into wait
          from usage_grant where counter = slot_counters[slot] and n = held_values[slot] + 1 - limit_sizes[l];
          wait := coalesce(wait, 0);
        end if;
      else
        empty := limit_sizes[l] * limit_spans[l];
        missing := least(greatest(0, held_values[slot] - now_ms * 1000), empty);
        if held_values[slot] > now_ms * 1000 + empty then held_values[slot] := now_ms * 1000 + empty; end if;
        wait := greatest(0, (missing + limit_spans[l] - empty + 999) / 1000);
      end if;
      if wait > longest_wait then
        longest_wait := wait;
        longest_limit := l;
      end if;
    end loop;

    granted[charge] := longest_wait = 0;
    if longest_wait > 0 then
      outcomes[2 * charge - 1] := longest_limit - first_limit + 1;
      outcomes[2 * charge] := case when longest_wait = endless then -1 else longest_wait end;
      first_limit := last_limit + 1;
      continue;
    end if;

    for l in first_limit..last_limit loop
      slot := limit_slots[l];
      if slot_kinds[slot] = 'window' then
        held_values[slot] := held_values[slot] + limit_amounts[l];
      elsif slot_kinds[slot] = 'sliding' then
        held_values[slot] := held_values[slot] + 1;
        held_times[slot] := greatest(held_times[slot], now_ms);
        added := cardinality(new_slots) + 1;
        new_slots[added] := slot;
        new_numbers[added] := held_values[slot];
        new_times[added] := held_times[slot];
        kept_from[slot] := held_values[slot] - limit_sizes[l];
      else
        held_values[slot] := greatest(held_values[slot], now_ms * 1000) + limit_amounts[l] * limit_spans[l];
      end if;
    end loop;

    remaining := -1;
    if charge_remaining[charge] > 0 then
      last_limit := first_limit + charge_remaining[charge] - 1;
      slot := limit_slots[last_limit];
      if slot_kinds[slot] = 'window' then
        used := held_values[slot];
      elsif slot_kinds[slot] = 'sliding' then
        perform usage_add_grants(slot_counters, new_slots, new_numbers, new_times);
        new_slots := '{}';
        select count(*) into used from usage_grant
        where counter = slot_counters[slot] and at_ms > now_ms - limit_spans[last_limit] and n > coalesce(kept_from[slot], 0);
      else
        missing := least(greatest(0, held_values[slot] - now_ms * 1000), limit_sizes[last_limit] * limit_spans[last_limit]);
        used := (missing + limit_spans[last_limit] - 1) / limit_spans[last_limit];
      end if;
      remaining := greatest(0, limit_sizes[last_limit] - used);
    end if;
    outcomes[2 * charge - 1] := 0;
    outcomes[2 * charge] := remaining;
    first_limit := first_limit + charge_limits[charge];
  end loop;

  update usage_count c set value = h.value, at_ms = h.at_ms
  from unnest(slot_counters, slot_kinds, slot_windows, held_values, held_times, before_values, before_times)
    h (counter, kind, window_ms, value, at_ms, before_value, before_ms)
  where c.counter = h.counter and c.kind = h.kind and c.window_ms = h.window_ms
    and (h.value <> h.before_value or h.at_ms <> h.before_ms);
  perform usage_add_grants(slot_counters, new_slots, new_numbers, new_times);
  for slot in 1..slots loop
    if kept_from[slot] > 0 then
      delete from usage_grant where counter = slot_counters[slot] and n <= kept_from[slot];
    end if;
  end loop;
  if cardinality(tally_charges) > 0 then
    with added as (
      insert into usage_tally as tally (owner, item, period, window_ms, used)
      select t.owner, t.item, p.period, p.window_ms, count(*)
      from unnest(tally_charges, tally_owners, tally_items, tally_days, tally_months) t (charge, owner, item, day_ms, month_ms)
      cross join lateral (values ('day', t.day_ms), ('month', t.month_ms)) p (period, window_ms)
      where granted[t.charge]
      group by t.owner, t.item, p.period, p.window_ms
      order by t.owner collate "C", t.item collate "C", p.period collate "C", p.window_ms
      on conflict (owner, item, period, window_ms) do update set used = tally.used + excluded.used
      returning xmax = 0 as is_new)
    select bool_or(is_new) into has_new_tally from added;
    if has_new_tally then perform usage_trim_tallies(tally_owners, tally_items); end if;
  end if;
  if cardinality(text_charges) > 0 then
    insert into usage_text (name, text)
    select distinct on (t.name) t.name, t.text from unnest(text_charges, text_names, texts) t (charge, name, text)
    where granted[t.charge] order by t.name, t.charge desc
    on conflict (name) do update set text = excluded.text;
  end if;
  update usage_call set number = call_number, outcome = outcomes, at = now() where sender = call_sender;
  return outcomes;
end
$$;

-- Writes grants of these slots, as many as there are slots: after them, numbers and times may have some that were written before.
create function usage_add_grants(counters text[], slots int[], numbers bigint[], times bigint[]) returns void language plpgsql as $$
begin
  if cardinality(slots) = 0 then return; end if;
  insert into usage_grant (counter, n, at_ms)
  select counters[g.slot], g.n, g.at_ms from unnest(slots, numbers, times) g (slot, n, at_ms) where g.slot is not null;
end
$$;

-- Makes the rows that are missing. The oldest windows go when a counter has more than eight.
create function usage_add_slots(counters text[], kinds text[], windows bigint[]) returns void language sql as $$
  insert into usage_count (counter, kind, window_ms)
  select s.counter, s.kind, s.window_ms from unnest(counters, kinds, windows) s (counter, kind, window_ms)
  where not exists (
    select from usage_count c where c.counter = s.counter and c.kind = s.kind and c.window_ms = s.window_ms)
  order by s.counter collate "C", s.kind collate "C", s.window_ms
  on conflict do nothing;
  delete from usage_count c
  where c.kind = 'window' and c.counter = any(counters) and c.entered <= (
      select o.entered from usage_count o where o.counter = c.counter and o.kind = 'window'
      order by o.entered desc offset 8 limit 1)
    and not exists (
      select from unnest(counters, kinds, windows) s (counter, kind, window_ms)
      where s.counter = c.counter and s.kind = c.kind and s.window_ms = c.window_ms);
$$;

-- The oldest days and months go when an item has more than eight.
create function usage_trim_tallies(owners text[], items text[]) returns void language sql as $$
  delete from usage_tally t using (select distinct owner, item from unnest(owners, items) i (owner, item)) i
  where t.owner = i.owner and t.item = i.item and t.entered <= (
    select o.entered from usage_tally o where o.owner = t.owner and o.item = t.item and o.period = t.period
    order by o.entered desc offset 8 limit 1);
$$;

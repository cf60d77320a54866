-- Claims of ids (`ids`, each once, in hex), one after another. Claim `c` has the next `claim_entries[c]` entries; entry `e` wants one use of id
-- `entry_ids[e]`, which has been used fewer than `entry_max[e]` times. Returns 1 for each claim that was granted, and 0 for the others.
create function usage_claim_uses(
  call_sender uuid, call_number bigint, ids text[],
  entry_ids int[], entry_max bigint[], claim_entries int[], claim_expiries bigint[], claim_times bigint[]
) returns bigint[] language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  keys constant bytea[] := array(select decode(id, 'hex') from unnest(ids) with ordinality i (id, n) order by n);
  done bigint[] := usage_outcome(call_sender, call_number);
  outcomes bigint[] := array_fill(0::bigint, array[cardinality(claim_entries)]);
  held_uses bigint[];
  held_expiries bigint[];
  first_entry int := 1;
  last_entry int;
  is_free boolean;
  id int;
begin
  if done is not null then return done; end if;

  loop
    select array_agg(uses order by n), array_agg(expires_ms order by n) into held_uses, held_expiries
    from (
      select k.n, c.uses, c.expires_ms from unnest(keys) with ordinality k (id, n)
      join usage_claim c on c.id = k.id order by c.id for update of c
    ) locked;
    exit when coalesce(cardinality(held_uses), 0) = cardinality(keys);
    insert into usage_claim (id, expires_ms, uses)
    select k.id, 0, 0 from unnest(keys) k (id) order by k.id on conflict do nothing;
  end loop;

  for claim in 1..cardinality(claim_entries) loop
    last_entry := first_entry + claim_entries[claim] - 1;
    is_free := true;
    for e in first_entry..last_entry loop
      id := entry_ids[e];
      if held_expiries[id] <= claim_times[claim] then
        held_uses[id] := 0;
        held_expiries[id] := 0;
      end if;
      is_free := is_free and held_uses[id] < entry_max[e];
    end loop;
    if is_free then
      for e in first_entry..last_entry loop
        id := entry_ids[e];
        held_uses[id] := held_uses[id] + 1;
        held_expiries[id] := greatest(held_expiries[id], claim_expiries[claim]);
      end loop;
    end if;
    outcomes[claim] := is_free::int;
    first_entry := last_entry + 1;
  end loop;

  update usage_claim c set uses = h.uses, expires_ms = h.expires_ms
  from unnest(keys, held_uses, held_expiries) h (id, uses, expires_ms)
  where c.id = h.id and (c.uses <> h.uses or c.expires_ms <> h.expires_ms);
  delete from usage_claim c using unnest(keys, held_uses) h (id, uses) where c.id = h.id and h.uses = 0;
  update usage_call set number = call_number, outcome = outcomes, at = now() where sender = call_sender;
  return outcomes;
end
$$;

/** Leases of workers, and slots in which to contact hosts. Slots go by the clock of the database, which all nodes share. */
import { type LeaseStore, leaseMsMax } from '../../lease/lease-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';

/** Hosts that were contacted recently are forgotten in bulk, after as many slots. */
const slotsBetweenPrunes = 10_000;

export function openLeaseStore(database: PostgresDatabase): LeaseStore {
  let slots = 0;
  return {
    acquireLease: async (name, holder, nowMs, untilMs) => {
      const [lease] = await database.writeRepeatable(
        (sql) => sql<{ epoch: number }[]>`
          insert into lease (name, holder, until_ms, epoch) values (${name}, ${holder}, ${untilMs}, ${nowMs})
          on conflict (name) do update set holder = excluded.holder, until_ms = excluded.until_ms,
            epoch = case when lease.holder = excluded.holder then lease.epoch
              else greatest(lease.epoch + 1, excluded.epoch) end
          where lease.holder = excluded.holder or lease.until_ms <= ${nowMs} or lease.until_ms > ${nowMs + leaseMsMax}
          returning epoch`,
      );
      return lease && { lease: name, epoch: lease.epoch };
    },

    releaseLease: async (name, holder) => {
      await database.writeRepeatable(
        (sql) => sql`update lease set until_ms = 0 where name = ${name} and holder = ${holder}`,
      );
    },

    reserveSlot: async (host, pauseMs) => {
      slots += 1;
      if (slots % slotsBetweenPrunes === 0) await pruneSlots(database);
      // Repeated where its outcome is unknown: a slot that nobody uses costs one pause.
      const [slot] = await database.writeRepeatable(
        (sql) => sql<{ wait_ms: number }[]>`
          insert into host_slot as slot (host, next)
            values (${host}, clock_timestamp() + ${pauseMs} * interval '1 millisecond')
          on conflict (host) do update
            set next = greatest(slot.next, clock_timestamp()) + ${pauseMs} * interval '1 millisecond'
          returning extract(epoch from next - clock_timestamp())::float8 * 1000 - ${pauseMs} as wait_ms`,
      );
      return Math.max(0, slot?.wait_ms ?? 0);
    },

    close: async () => undefined,
  };
}

async function pruneSlots(database: PostgresDatabase): Promise<void> {
  await database.writeRepeatable((sql) => sql`delete from host_slot where next < now() - interval '1 hour'`);
}

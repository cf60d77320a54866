/** Leases of workers, in jobs.db. */
import { join } from 'node:path';
import { type LeaseStore, leaseMsMax } from '../lease/lease-store.ts';
import { openDatabase, write } from './database.ts';
import { currentProcess, isAlive } from './process-identity.ts';

interface LeaseRow {
  readonly holder: string;
  readonly until_ms: number;
  readonly epoch: number;
}

export function openLeaseStore(data: string): LeaseStore {
  const database = openDatabase(join(data, 'jobs.db'), 'jobs', 'full');
  const find = database.prepare('select holder, until_ms, epoch from lease where name = ?');
  const put = database.prepare(
    `insert into lease (name, holder, until_ms, epoch) values (:name, :holder, :untilMs, :epoch)
     on conflict do update set holder = :holder, until_ms = :untilMs, epoch = :epoch`,
  );
  const end = database.prepare('update lease set until_ms = 0 where name = ? and holder = ?');
  const { process: pid, started } = currentProcess();
  const fullHolder = (holder: string) => `${pid}/${started}/${holder}`;
  return {
    acquireLease: (name, given, nowMs, untilMs) =>
      write(database, () => {
        const holder = fullHolder(given);
        const held = find.get(name) as LeaseRow | undefined;
        if (held && held.holder !== holder && isInForce(held, nowMs)) return undefined;
        // Not less than the time: also above those that other databases know, if this one was lost.
        const epoch = held?.holder === holder ? held.epoch : Math.max(nowMs, (held?.epoch ?? 0) + 1);
        put.run({ name, holder, untilMs, epoch });
        return { lease: name, epoch };
      }),
    releaseLease: (name, holder) => write(database, () => void end.run(name, fullHolder(holder))),
    close: async () => void database.close(),
  };
}

function isInForce({ holder, until_ms: untilMs }: LeaseRow, nowMs: number): boolean {
  if (untilMs <= nowMs || untilMs > nowMs + leaseMsMax) return false;
  const [pid, started = ''] = holder.split('/');
  return isAlive({ process: Number(pid), started });
}

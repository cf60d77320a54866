/**
 * Refuses what a former holder of a lease writes. Leases are in a database of their own, so the latest epoch is remembered where something is
 * written under it: nothing of an earlier holder is written after something of a later one. Within the caller's transaction.
 */
import type { FencingToken } from '../../lease/fencing-token.ts';
import type { Database } from '../database.ts';

export function fences(database: Database) {
  const find = database.prepare('select epoch from fence where lease = ?').pluck();
  const put = database.prepare(
    'insert into fence (lease, epoch) values (:lease, :epoch) on conflict do update set epoch = :epoch',
  );
  return {
    /** False if a later holder of the lease has written. */
    admits({ lease, epoch }: FencingToken): boolean {
      const latest = (find.get(lease) as number | undefined) ?? 0;
      if (latest < epoch) put.run({ lease, epoch });
      return latest <= epoch;
    },
  };
}

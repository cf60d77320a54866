/** When DNS or registration data of domains last changed, from the history of their records. */
import { TimeSlice } from '../../concurrency/time-slice.ts';
import { isTrackedChange } from '../../model/detect/tracked-members.ts';
import type { DomainStore } from '../../store/domain-store.ts';

type History = Pick<DomainStore, 'listChanges'>;

const changesPerPage = 20;
/** More changes of other members in a row are not searched through. */
const pagesMax = 10;

/** Domains without such a change are absent. */
export async function findLastChanges(
  names: readonly string[],
  domains: History,
): Promise<ReadonlyMap<string, number>> {
  const timeSlice = new TimeSlice();
  const found = new Map<string, number>();
  for (const name of names) {
    const changedMs = await findLastChangeMs(name, domains);
    if (changedMs !== undefined) found.set(name, changedMs);
    await timeSlice.yieldIfOver();
  }
  return found;
}

async function findLastChangeMs(domain: string, domains: History): Promise<number | undefined> {
  let before = {};
  for (let page = 0; page < pagesMax; page += 1) {
    const changes = await domains.listChanges(domain, { ...before, limit: changesPerPage });
    const tracked = changes.find((change) => isTrackedChange(change.field, change.before, change.after));
    const last = changes.at(-1);
    if (tracked || !last || changes.length < changesPerPage) return tracked?.atMs;
    before = { beforeMs: last.atMs, beforeId: last.id };
  }
  return undefined;
}

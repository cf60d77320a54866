/** Brings the blocklists of an account up to date, without waiting for one that is filled from very many names. */
import { settlesWithin } from '../../../concurrency/deadline.ts';
import type { BlocklistStore } from '../../../store/detect/blocklist-store.ts';

/** Changes of a few names are published within milliseconds, also while another list is filled; thousands take seconds. */
const readerWaitMs = 10_000;

/** Throws what the refresh throws in this time. What takes longer goes on, and its last version is served until then. */
export async function refreshSoon(
  blocklists: Pick<BlocklistStore, 'refreshSelections'>,
  accountId: string,
  nowMs: number,
  waitMs = readerWaitMs,
): Promise<void> {
  const refresh = blocklists.refreshSelections(accountId, nowMs);
  if (await settlesWithin(refresh, waitMs)) await refresh;
}

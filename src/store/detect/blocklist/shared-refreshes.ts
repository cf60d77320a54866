import type { BlocklistStore } from '../blocklist-store.ts';

/** Refreshes until there is nothing left, one account at a time: calls that overlap share the work. */
export function sharedRefreshes(
  isUnrefreshed: (accountId: string) => Promise<boolean>,
  refresh: (accountId: string, nowMs: number) => Promise<void>,
): BlocklistStore['refreshSelections'] {
  const underWay = new Map<string, Promise<void>>();
  return async (accountId, nowMs) => {
    while (await isUnrefreshed(accountId)) {
      const begun = underWay.get(accountId);
      if (begun) {
        // It may have begun before the caller's change; if so, there is more to refresh.
        await begun;
        continue;
      }
      const refreshed = refresh(accountId, nowMs);
      underWay.set(accountId, refreshed);
      await refreshed.finally(() => underWay.delete(accountId));
    }
  };
}

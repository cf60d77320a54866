/** What worker threads do with blocklists: all writes. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { SelectionRules } from '../../../model/detect/blocklist/selection.ts';
import type { BlocklistActor, SelectionKey } from '../../detect/blocklist-store.ts';
import { type Database, write } from '../database.ts';
import { AllowedNames } from './allowed-names.ts';
import { Refreshing } from './refreshing.ts';
import { SelectionRows } from './selection-rows.ts';
import { TaggedNames } from './tagged-names.ts';
import { Unrefreshed } from './unrefreshed.ts';
import { Versions } from './versions.ts';

/** Rows of one transaction. */
const rowsPerStep = 500;

export function blocklistCalls(database: Database) {
  const selections = new SelectionRows(database);
  const allowed = new AllowedNames(database);
  const tagged = new TaggedNames(database);
  const refreshing = new Refreshing(database);
  const versions = new Versions(database);
  const unrefreshed = new Unrefreshed(database);
  const inTransaction = <Result>(work: () => Result) => write(database, work);

  const refreshSelections = async (accountId: string, nowMs: number): Promise<void> => {
    while (unrefreshed.has(accountId)) {
      const isMore = await inTransaction(() => refreshing.step(accountId, nowMs));
      if (!isMore) return;
      await yieldToEventLoop();
    }
  };
  const refreshAll = async (nowMs: number) => {
    for (const accountId of unrefreshed.list()) await refreshSelections(accountId, nowMs);
  };

  return {
    refreshSelections,

    async renewSerials(nowMs: number) {
      // Drafts of before the restore have serials of then.
      await refreshAll(nowMs);
      await inTransaction(() => versions.renew(nowMs));
      await refreshAll(nowMs);
    },

    putSelection: (key: SelectionKey, rules: SelectionRules, by: BlocklistActor) =>
      inTransaction(() => selections.put(key, rules, by)),

    deleteSelection: (key: SelectionKey) => inTransaction(() => selections.delete(key)),

    changeAllowed: (
      accountId: string,
      change: { readonly add: readonly string[]; readonly remove: readonly string[] },
      by: BlocklistActor,
    ) => inTransaction(() => allowed.change(accountId, change, by)),

    async putTagged(
      accountId: string,
      tag: string,
      { names, round }: { readonly names: readonly string[]; readonly round: number },
    ) {
      for (let start = 0; start < names.length; start += rowsPerStep) {
        const some = names.slice(start, start + rowsPerStep);
        await inTransaction(() => tagged.put(accountId, tag, some, round));
        await yieldToEventLoop();
      }
    },

    async removeUntagged(accountId: string, tag: string, round: number) {
      const isMore = () => tagged.removeBefore(accountId, tag, round, rowsPerStep);
      while (await inTransaction(isMore)) await yieldToEventLoop();
    },
  };
}

/** What worker threads do with shared collections: all writes, each in one short transaction. */

import type { FeedRecord } from '../../../model/feed/feed.ts';
import {
  CollectionWriter,
  hotlistKeptMs,
  namesAtOnce,
  namesPerStep,
  type OpenCollection,
  prunedPerStep,
} from '../../detect/sharing/collection-writer.ts';
import type { Author, CollectionKey } from '../../detect/sharing-store.ts';
import { type Database, write } from '../database.ts';
import { CandidateNames } from './candidate-names.ts';
import { CollectionRows } from './collection-rows.ts';
import { ListedFactsReader } from './listed-facts.ts';
import { StoredObjects } from './stored-objects.ts';

export function sharingCalls(database: Database) {
  const collections = new CollectionRows(database);
  const writer = new CollectionWriter(new StoredObjects(database));
  const facts = new ListedFactsReader(database);
  const candidates = new CandidateNames(database);
  const pending = database
    .prepare('select name from sharing_pending where account = ? order by name limit ?')
    .pluck();
  const removePending = database.prepare('delete from sharing_pending where account = ? and name = ?');
  const prune = database.prepare(
    `delete from sharing_object where (collection, added) in (
       select collection, added from sharing_object
       where collection = ? and added < ? and subject <> '' order by added limit ${prunedPerStep})`,
  );

  const close = ({ row, added }: OpenCollection) => {
    if (added !== row.added) collections.putAdded(row.number, added);
  };

  const evaluate = (logs: readonly OpenCollection[], accountId: string, name: string) =>
    writer.evaluate(logs, name, facts.find(accountId, name));

  const refresh = (key: CollectionKey, author: Author, nowMs: number) => {
    const { number, filled } = collections.begin(key, author.title, nowMs);
    const logs = collections.ofAccount(key.accountId).map((row) => writer.open(row, author, nowMs));
    const limit = namesAtOnce(logs.length);
    const noted = pending.all(key.accountId, limit) as string[];
    for (const name of noted) {
      evaluate(logs, key.accountId, name);
      removePending.run(key.accountId, name);
    }
    // What changed goes before what was there: a block does not wait for a list of a million names.
    if (filled !== null && noted.length < limit) {
      const own = logs.filter((log) => log.number === number);
      const next = candidates.next({ account: key.accountId, name: key.list }, filled, namesPerStep);
      for (const name of next.names) evaluate(own, key.accountId, name);
      collections.putFilled(number, next.filled);
    }
    logs.forEach(close);
  };

  const addHot = (
    lines: readonly FeedRecord<'domainhotlist'>[],
    { from, to }: { readonly from: number; readonly to: number },
    author: Author,
    nowMs: number,
  ) => {
    const row = collections.begin({ accountId: '', list: 'hotlist' }, author.title, nowMs);
    if (row.feed_offset !== from) return;
    const log = writer.open(row, author, nowMs);
    for (const line of lines) writer.addHot(log, line);
    prune.run(row.number, (nowMs - hotlistKeptMs) * 1000);
    collections.putOffset(row.number, to);
    close(log);
  };

  return {
    refreshCollection: (key: CollectionKey, author: Author, nowMs: number) =>
      write(database, () => refresh(key, author, nowMs)),
    addHotDomains: (...given: Parameters<typeof addHot>) => write(database, () => addHot(...given)),
  };
}

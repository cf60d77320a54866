/**
 * Shared collections in PostgreSQL. Triggers note names whose state may have changed. Times of objects are given under the lock of the account, which is
 * held until the commit, so that no reader sees a time before an earlier one.
 */
import type { FeedRecord } from '../../../model/feed/feed.ts';
import {
  CollectionWriter,
  hotlistKeptMs,
  namesAtOnce,
  namesPerStep,
  type OpenCollection,
  prunedPerStep,
} from '../../detect/sharing/collection-writer.ts';
import type { Author, CollectionKey, SharingStore } from '../../detect/sharing-store.ts';
import { changeAccount } from '../detect/account-lock.ts';
import type { PostgresDatabase, Transaction } from '../postgres/database.ts';
import { nextCandidates } from './candidate-names.ts';
import {
  beginCollection,
  findCollection,
  isUnrefreshed,
  listCollections,
  putAdded,
  putFilled,
  putOffset,
} from './collection-rows.ts';
import { loadListedFacts } from './listed-facts.ts';
import { ObjectDraft } from './object-draft.ts';
import { listObjects } from './object-queries.ts';

const hotlist: CollectionKey = { accountId: '', list: 'hotlist' };

export function openSharingStore(database: PostgresDatabase): SharingStore {
  return {
    async listCollections(accountId) {
      const rows = await database.read((sql) => listCollections(sql, accountId));
      return rows.map(({ name, title }) => ({ list: name, title }));
    },
    isUnrefreshed: (key) => database.read((sql) => isUnrefreshed(sql, key)),
    refreshCollection: (key, author, nowMs) =>
      changeAccount(database, key.accountId, (sql) => refresh(sql, key, author, nowMs)),
    hotlistOffset: async () => (await database.read((sql) => findCollection(sql, hotlist)))?.feed_offset ?? 0,
    addHotDomains: (lines, offset, author, nowMs) =>
      changeAccount(database, hotlist.accountId, (sql) => addHot(sql, { lines, ...offset }, author, nowMs)),
    listObjects: (key, query) =>
      database.snapshot(async (sql) => {
        const row = await findCollection(sql, key);
        return row ? listObjects(sql, row.number, query) : { versions: [], isMore: false };
      }),
  };
}

async function refresh(sql: Transaction, key: CollectionKey, author: Author, nowMs: number): Promise<void> {
  const { accountId } = key;
  const { number, filled } = await beginCollection(sql, key, author.title, nowMs);
  const rows = await listCollections(sql, accountId);
  const limit = namesAtOnce(rows.length);
  const noted = await removeNoted(sql, accountId, limit);
  // What changed goes before what was there: a block does not wait for a list of a million names.
  const next =
    filled !== null && noted.length < limit
      ? await nextCandidates(sql, key, filled, namesPerStep)
      : undefined;
  const facts = await loadListedFacts(sql, accountId, [...noted, ...(next?.names ?? [])]);
  const draft = new ObjectDraft();
  const addresses = [...facts.values()].flatMap((one) => one.addresses);
  const subjects = ['', ...noted, ...(next?.names ?? []), ...addresses];
  await draft.load(
    sql,
    rows.map((row) => row.number),
    subjects,
  );
  const writer = new CollectionWriter(draft);
  const logs = rows.map((row) => writer.open(row, author, nowMs));
  for (const name of noted) writer.evaluate(logs, name, facts.get(name));
  const own = logs.filter((log) => log.number === number);
  for (const name of next?.names ?? []) writer.evaluate(own, name, facts.get(name));
  await draft.write(sql);
  await putAdded(sql, logs.filter(hasAdded));
  if (next) await putFilled(sql, number, next.filled);
}

async function removeNoted(sql: Transaction, accountId: string, limit: number): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    delete from sharing_pending where account_id = ${accountId} and name in (
      select name from sharing_pending where account_id = ${accountId} order by name limit ${limit})
    returning name`;
  return rows.map(({ name }) => name);
}

async function addHot(
  sql: Transaction,
  {
    lines,
    from,
    to,
  }: { readonly lines: readonly FeedRecord<'domainhotlist'>[]; readonly from: number; readonly to: number },
  author: Author,
  nowMs: number,
): Promise<void> {
  const row = await beginCollection(sql, hotlist, author.title, nowMs);
  if (row.feed_offset !== from) return;
  const draft = new ObjectDraft();
  await draft.load(sql, [row.number], ['', ...lines.map(({ domain }) => domain)]);
  const writer = new CollectionWriter(draft);
  const log = writer.open(row, author, nowMs);
  for (const line of lines) writer.addHot(log, line);
  await draft.write(sql);
  await sql`
    delete from sharing_object where (collection, added) in (
      select collection, added from sharing_object
      where collection = ${row.number} and added < ${(nowMs - hotlistKeptMs) * 1000} and subject <> ''
      order by added limit ${prunedPerStep})`;
  await putOffset(sql, row.number, to);
  await putAdded(sql, [log].filter(hasAdded));
}

const hasAdded = ({ added, row }: OpenCollection) => added !== row.added;

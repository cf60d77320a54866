/** What worker threads do with shared collections: all writes, each in one short transaction. */

import { dayMs } from '../../../model/durations.ts';
import type { FeedRecord } from '../../../model/feed/feed.ts';
import { type Authorship, identityContent, identityCreatedMs } from '../../../model/stix/stix-contents.ts';
import { accountIdentityId, stixId } from '../../../model/stix/stix-ids.ts';
import { tlpCreated, tlpMarking } from '../../../model/stix/tlp-marking.ts';
import type { Author, CollectionKey } from '../../detect/sharing-store.ts';
import { type Database, write } from '../database.ts';
import { CandidateNames } from './candidate-names.ts';
import { type CollectionRow, CollectionRows } from './collection-rows.ts';
import { belongsTo, ListedFactsReader } from './listed-facts.ts';
import { ObjectLog, type OpenLog } from './object-log.ts';
import { hotStatement, listedStatement, putStatement } from './statements.ts';

/** Of one transaction, over all collections: other writers wait some milliseconds for it. */
const evaluationsPerStep = 500;
const namesPerStep = 200;
const prunedPerStep = 2000;

/** The indicators of the hotlist have an end; this long after they were last listed, they need not be kept. */
const hotlistKeptMs = 90 * dayMs;

interface OpenCollection extends OpenLog {
  readonly row: CollectionRow;
  readonly by: Authorship;
}

export function sharingCalls(database: Database) {
  const collections = new CollectionRows(database);
  const objects = new ObjectLog(database);
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

  /** Its identity and its marking come first. */
  const open = (row: CollectionRow, author: Author, nowMs: number): OpenCollection => {
    const { number, account, name, added, created_ms } = row;
    const identityId =
      account === '' ? stixId('identity', name, String(created_ms)) : accountIdentityId(account);
    const by = { identityId, marking: author.marking };
    const log = { number, account, name, nowMs, added, row, by };
    const stated = objects.stated(log, '');
    const { type, id, spec_version: _, created: __, ...content } = tlpMarking(author.marking);
    objects.state(log, '', stated, {
      part: `marking ${author.marking}`,
      type,
      content,
      known: { id, createdMs: Date.parse(tlpCreated) },
    });
    objects.state(log, '', stated, {
      part: 'identity',
      type: 'identity',
      content: identityContent(author.name, by),
      known: { id: identityId, createdMs: identityCreatedMs },
    });
    return log;
  };
  const close = ({ row, added }: OpenCollection) => {
    if (added !== row.added) collections.putAdded(row.number, added);
  };

  const evaluate = (logs: readonly OpenCollection[], accountId: string, name: string) => {
    const listed = facts.find(accountId, name);
    for (const log of logs) {
      const rows = objects.stated(log, name);
      const isMember = rows.some(({ part, revoked }) => part === 'indicator' && revoked === 0);
      const list = log.row.name;
      const said =
        listed && belongsTo(list, listed, isMember) ? listedStatement(name, list, listed) : undefined;
      if (said || isMember) putStatement(log, name, { said, rows, by: log.by }, objects);
    }
  };

  const refresh = (key: CollectionKey, author: Author, nowMs: number) => {
    const { number, filled } = collections.begin(key, author.title, nowMs);
    const logs = collections.ofAccount(key.accountId).map((row) => open(row, author, nowMs));
    const limit = Math.max(1, Math.min(namesPerStep, Math.floor(evaluationsPerStep / logs.length)));
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
    const log = open(row, author, nowMs);
    for (const line of lines) {
      const rows = objects.stated(log, line.domain);
      putStatement(log, line.domain, { said: hotStatement(line, rows), rows, by: log.by }, objects);
    }
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

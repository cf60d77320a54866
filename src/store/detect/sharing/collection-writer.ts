/** Writes what lists and the hotlist say into collections, within one transaction. */
import { dayMs } from '../../../model/durations.ts';
import type { FeedRecord } from '../../../model/feed/feed.ts';
import { type Authorship, identityContent, identityCreatedMs } from '../../../model/stix/stix-contents.ts';
import { accountIdentityId, stixId } from '../../../model/stix/stix-ids.ts';
import { tlpCreated, tlpMarking } from '../../../model/stix/tlp-marking.ts';
import type { Author, SharedList } from '../sharing-store.ts';
import { belongsTo, type ListedFacts } from './listed-facts.ts';
import { ObjectLog, type ObjectTable, type OpenLog } from './object-log.ts';
import { hotStatement, listedStatement, putStatement } from './statements.ts';

export interface CollectionRow {
  readonly number: number;
  /** Empty: shared by all accounts. */
  readonly accountId: string;
  readonly name: SharedList;
  readonly title: string;
  readonly created_ms: number;
  /** JSON: how far its list is evaluated for the first time; null: all of it is. */
  readonly filled: string | null;
  /** When the last object was added, in microseconds since 1970. */
  readonly added: number;
  /** How far the feed is read, for the hotlist. */
  readonly feed_offset: number;
}

export interface OpenCollection extends OpenLog {
  readonly row: CollectionRow;
  readonly by: Authorship;
}

/** Of one transaction, over all collections: other writers wait some milliseconds for it. */
const evaluationsPerStep = 500;
/** Of one list. */
export const namesPerStep = 200;
export const prunedPerStep = 2000;

/** The indicators of the hotlist have an end; this long after they were last listed, they need not be kept. */
export const hotlistKeptMs = 90 * dayMs;

/** How many names one transaction evaluates for all collections of an account. */
export function namesAtOnce(collections: number): number {
  return Math.max(1, Math.min(namesPerStep, Math.floor(evaluationsPerStep / collections)));
}

export class CollectionWriter {
  readonly #objects: ObjectLog;

  constructor(table: ObjectTable) {
    this.#objects = new ObjectLog(table);
  }

  /** Its identity and its marking come first. */
  open(row: CollectionRow, author: Author, nowMs: number): OpenCollection {
    const { number, accountId, name, added, created_ms } = row;
    const identityId =
      accountId === '' ? stixId('identity', name, String(created_ms)) : accountIdentityId(accountId);
    const by = { identityId, marking: author.marking };
    const log = { number, account: accountId, name, nowMs, added, row, by };
    const stated = this.#objects.stated(log, '');
    const { type, id, spec_version: _, created: __, ...content } = tlpMarking(author.marking);
    this.#objects.state(log, '', stated, {
      part: `marking ${author.marking}`,
      type,
      content,
      known: { id, createdMs: Date.parse(tlpCreated) },
    });
    this.#objects.state(log, '', stated, {
      part: 'identity',
      type: 'identity',
      content: identityContent(author.name, by),
      known: { id: identityId, createdMs: identityCreatedMs },
    });
    return log;
  }

  /** `listed`: undefined where the account knows no such domain. */
  evaluate(logs: readonly OpenCollection[], name: string, listed: ListedFacts | undefined): void {
    for (const log of logs) {
      const rows = this.#objects.stated(log, name);
      const isMember = rows.some(({ part, revoked }) => part === 'indicator' && !revoked);
      const list = log.row.name;
      const said =
        listed && belongsTo(list, listed, isMember) ? listedStatement(name, list, listed) : undefined;
      if (said || isMember) putStatement(log, name, { said, rows, by: log.by }, this.#objects);
    }
  }

  addHot(log: OpenCollection, line: FeedRecord<'domainhotlist'>): void {
    const rows = this.#objects.stated(log, line.domain);
    putStatement(log, line.domain, { said: hotStatement(line, rows), rows, by: log.by }, this.#objects);
  }
}

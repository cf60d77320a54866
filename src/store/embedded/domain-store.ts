/**
 * Domain records on one machine, below `domains/`:
 *
 *   domains.db   `domain` names by id, `record` as JSON; `value` and `value_chunk` which ids have a value; `number_chunk` what is
 *                compared and sorted by; full-text indexes of WHOIS texts and of parts of names; `change`, `tag`
 *   walks.db     results that somebody is walking through
 *
 * A value is a 64-bit key of attribute and folded text (`domain/value-keys.ts`), so its text is stored in records alone. Its
 * domains are a few ids beside their number, or chunks of 65536 ids (`domain/id-chunk.ts`), as in Roaring bitmaps. One
 * transaction changes a record and everything that leads to it. Searches go chunk by chunk (`domain/match-source.ts`) in
 * threads; what is read by key is read here, a few milliseconds at a time.
 */
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { RecordPart } from '../../model/record/attributes.ts';
import type { Attribute, Condition } from '../../model/record/condition.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import type {
  DomainId,
  DomainStore,
  FieldChange,
  LoggedUpdate,
  Matches,
  RecordUpdate,
  SharedValue,
  SortOrder,
  StoredRecord,
  Tag,
  TopValue,
  UpsertCounts,
  ValueCounts,
} from '../domain-store.ts';
import { type Database, snapshots } from './database.ts';
import { Changes } from './domain/changes.ts';
import type { DomainWork } from './domain/domain-work.ts';
import { inSlices } from './domain/in-slices.ts';
import { KeyCounts } from './domain/key-counts.ts';
import { openDomains } from './domain/open-domains.ts';
import { Postings } from './domain/postings.ts';
import { mayBeQuick } from './domain/quick-search.ts';
import { RecordKeys } from './domain/record-keys.ts';
import { RecordRows } from './domain/record-rows.ts';
import { Search } from './domain/search.ts';
import { TaggedDomains } from './domain/tags.ts';
import { textIndexCount } from './domain/text-indexes.ts';
import { UpdateLog } from './domain/update-log.ts';
import { ValueKeys } from './domain/value-keys.ts';
import { Walks } from './domain/walks.ts';
import { ThreadJobs } from './thread-jobs.ts';

/** Characters of what is handed to the thread that writes, piece by piece: to make one takes about a millisecond. */
const pieceCharacters = 262_144;

/** Records that one statement reads, in less than a millisecond. */
const readTogether = 32;
/**
 * Counts of a page of 500 records stand on some five thousand pages of the database, and SQLite maps no more than the first two
 * gigabytes of it: what lies behind is read from here.
 */
const pagesKib = 262_144;
/** Updates that are forgotten in one step. */
const pruneRows = 10_000;

/** What is quick never waits for what is slow, and nothing waits for a recount. */
type LaneName = 'write' | 'quick' | 'slow' | 'verify';

export function openDomainStore(data: string, clock: Clock): DomainStore {
  return new EmbeddedDomainStore(join(data, 'domains'), clock);
}

class EmbeddedDomainStore implements DomainStore {
  readonly #clock: Clock;
  readonly #database: Database;
  readonly #threads: ThreadJobs<DomainWork, LaneName>;
  readonly #rows: RecordRows;
  readonly #keys: ValueKeys;
  readonly #recordKeys: RecordKeys;
  readonly #postings: Postings;
  readonly #changes: Changes;
  readonly #log: UpdateLog;
  readonly #tagged: TaggedDomains;
  readonly #walks: Walks;
  readonly #search: Search;
  readonly #atOneMoment: (work: () => void) => void;

  constructor(directory: string, clock: Clock) {
    const path = join(directory, 'domains.db');
    this.#clock = clock;
    this.#database = openDomains(path, pagesKib);
    this.#threads = new ThreadJobs({
      file: new URL('./domain/domain-thread.ts', import.meta.url),
      workerData: { path },
      store: 'the store of domains',
      finish: ['write'],
    });
    this.#rows = new RecordRows(this.#database);
    this.#keys = new ValueKeys(this.#database);
    this.#recordKeys = new RecordKeys(this.#database, this.#keys);
    this.#postings = new Postings(this.#database);
    this.#changes = new Changes(this.#database);
    this.#log = new UpdateLog(this.#database);
    this.#tagged = new TaggedDomains(this.#database);
    this.#walks = new Walks(directory);
    this.#search = new Search(this.#database);
    this.#atOneMoment = snapshots(this.#database);
  }

  async upsert(updates: readonly RecordUpdate[]): Promise<UpsertCounts> {
    const texts = await inSlices(updates, (update) => JSON.stringify(update));
    const pieces = inPieces(texts);
    const encoded = await inSlices(pieces, (piece) => new TextEncoder().encode(`[${piece.join()}]`));
    const moved = encoded.map(({ buffer }) => buffer);
    return this.#threads.runMoving(moved, 'write', 'upsert', encoded, this.#clock.now());
  }

  findRecords(names: readonly string[]): Promise<readonly (DomainRecord | undefined)[]> {
    return this.#read(names, (name) => {
      const id = this.#rows.findId(name);
      return id === undefined ? undefined : this.#rows.findRecord(id);
    });
  }

  async getRecords(ids: readonly DomainId[], parts: readonly RecordPart[]): Promise<readonly StoredRecord[]> {
    // One statement is one moment by itself.
    if (parts.length === 0 && ids.length <= readTogether)
      return this.#readGroup(ids, parts).map(withoutCounts);
    const kept = (await this.#read(inGroups(ids), (group) => this.#readGroup(group, parts))).flat();
    const counted = new KeyCounts(kept.flatMap(({ keys }) => keys));
    await this.#read(counted.steps, (places) => counted.lookUp(places, this.#postings));
    return kept.map(({ json }, index) => ({
      json,
      counts: Object.fromEntries(
        parts.map((part, place) => [part, counted.counts[index * parts.length + place]]),
      ),
    }));
  }

  async search(condition: Condition, order: SortOrder, limit: number): Promise<Matches> {
    if (mayBeQuick(condition)) {
      // Asking a thread would take longer than the answer.
      const found = this.#search.findAmongFew(condition, order);
      if (found && found.length <= limit) return { total: found.length, ids: Array.from(found) };
    }
    const lane = asksForText(condition) ? 'slow' : 'quick';
    const ids = await this.#threads.run(lane, 'search', condition, order, limit);
    return ids ? { total: ids.length, ids: Array.from(ids) } : { total: 'too-many' };
  }

  /** Values of a page are often the same, and each is counted once. */
  async countsOf(values: readonly SharedValue[]): Promise<readonly number[]> {
    const counts = new Map<Attribute, Map<string, number>>();
    return this.#read(values, ({ attribute, value }) => {
      let known = counts.get(attribute);
      if (!known) {
        known = new Map();
        counts.set(attribute, known);
      }
      let count = known.get(value);
      if (count === undefined) {
        count = this.#postings.countOf(this.#keys.keyOf(attribute, value));
        known.set(value, count);
      }
      return count;
    });
  }

  listTopValues(ids: readonly DomainId[], attribute: Attribute, limit: number): Promise<readonly TopValue[]> {
    const sorted = Int32Array.from(ids).sort();
    return this.#threads.run('slow', 'listTopValues', sorted, attribute, limit);
  }

  averageRisksOf(values: readonly SharedValue[]): Promise<readonly (number | undefined)[]> {
    return this.#threads.run('slow', 'averageRisksOf', values);
  }

  async listChanges(
    domain: string,
    page: Parameters<DomainStore['listChanges']>[1],
  ): Promise<readonly FieldChange[]> {
    return this.#changes.list(domain, page);
  }

  async listUpdates(afterId: number, limit: number): Promise<readonly LoggedUpdate[]> {
    return this.#log.list(afterId, limit);
  }

  async pruneUpdates(beforeMs: number): Promise<void> {
    const limit = pruneRows;
    for (let gone = limit; gone === limit; ) {
      gone = await this.#threads.run('write', 'pruneUpdates', beforeMs, limit);
    }
  }

  async listNames(after: number, limit: number): Promise<{ names: readonly string[]; place: number }> {
    return this.#log.listNames(after, limit);
  }

  /** Ids begin with 1, and no row is ever removed. */
  async countNames(): Promise<number> {
    return this.#rows.lastId();
  }

  tag(
    domain: string,
    change: Parameters<DomainStore['tag']>[1],
    by: Parameters<DomainStore['tag']>[2],
  ): Promise<boolean> {
    return this.#threads.run('write', 'tag', { domain, change, by });
  }

  tagsOf(
    domains: readonly string[],
    who: { readonly accountId: string; readonly userId: string },
  ): Promise<readonly (readonly Tag[])[]> {
    return this.#read(domains, (domain) => this.#tagged.tagsOf(domain, who));
  }

  keepWalk(name: string, ids: readonly DomainId[], untilMs: number): Promise<void> {
    return this.#walks.keep(name, ids, untilMs, this.#clock.now());
  }

  async findWalk(name: string, nowMs: number): Promise<readonly DomainId[] | undefined> {
    return this.#walks.find(name, nowMs);
  }

  async verifyCounts(
    onProgress: (done: number, all: number) => void = () => undefined,
  ): Promise<readonly string[]> {
    const { port1: heard, port2: told } = new MessageChannel();
    heard.on('message', ([done, all]: [number, number]) => onProgress(done, all));
    try {
      return await this.#threads.runMoving([told], 'verify', 'verify', told);
    } finally {
      heard.close();
    }
  }

  async settle(): Promise<void> {
    for (let place = 0; place < textIndexCount; place += 1) {
      let isFirst = true;
      while (await this.#threads.run('write', 'mergeTexts', place, isFirst)) isFirst = false;
    }
  }

  statistics(): Promise<{ readonly records: number; readonly values: number; readonly bytes: number }> {
    return this.#threads.run('slow', 'statistics');
  }

  async close(): Promise<void> {
    await this.#threads.close();
    this.#walks.close();
    this.#database.close();
  }

  #readGroup(ids: readonly DomainId[], parts: readonly RecordPart[]): readonly KeptRecord[] {
    const texts = this.#rows.listTexts(ids);
    if (texts.length < ids.length)
      throw new Problem('not-found', `there is no domain of one of the ids ${ids.join()}`);
    return texts.map(([id, json]) => ({
      json,
      keys: parts.map((part) => this.#recordKeys.ofPart(id, part, () => JSON.parse(json) as DomainRecord)),
    }));
  }

  #read<Item, Result>(items: ArrayLike<Item>, work: (item: Item) => Result): Promise<Result[]> {
    return inSlices(items, work, this.#atOneMoment);
  }
}

const noCounts: ValueCounts = {};

function withoutCounts({ json }: KeptRecord): StoredRecord {
  return { json, counts: noCounts };
}

interface KeptRecord {
  readonly json: string;
  /** Of each part that was asked for. */
  readonly keys: readonly BigInt64Array[];
}

function inGroups(ids: readonly DomainId[]): readonly (readonly DomainId[])[] {
  return Array.from({ length: Math.ceil(ids.length / readTogether) }, (_, group) =>
    ids.slice(group * readTogether, (group + 1) * readTogether),
  );
}

function inPieces(texts: readonly string[]): readonly (readonly string[])[] {
  const pieces: string[][] = [];
  let room = 0;
  for (const text of texts) {
    if (room <= 0) {
      pieces.push([]);
      room = pieceCharacters;
    }
    pieces.at(-1)?.push(text);
    room -= text.length;
  }
  return pieces;
}

/** Texts may take long; values and numbers never do. */
function asksForText(condition: Condition): boolean {
  if (condition.kind === 'and' || condition.kind === 'or') return condition.of.some(asksForText);
  if (condition.kind === 'not') return asksForText(condition.of);
  return condition.kind === 'whois' || condition.kind === 'contains';
}

/**
 * Domain records on one machine, below `domains/`:
 *
 *   domains.db   `domain` names by id, `record` as JSON; `value` and `value_chunk` which ids have a value; `number_chunk` what is
 *                compared and sorted by; full-text indexes of WHOIS texts and of parts of names; `change`, `tag`
 *   walks.db     results that somebody is walking through
 *
 * A value is a 64-bit hash of attribute and folded text (`domain/value-keys.ts`), so its text is stored in records alone. Its
 * domains are a few ids beside their number, or chunks of 65536 ids (`domain/id-chunk.ts`), as in Roaring bitmaps. One
 * transaction changes a record and everything that leads to it. Searches go chunk by chunk (`domain/match-source.ts`) in
 * threads; what is read by key is read here, a few milliseconds at a time.
 */
import { join } from 'node:path';
import type { Clock } from '../../model/clock.ts';
import { Problem } from '../../model/problem.ts';
import type { Attribute, Condition } from '../../model/record/condition.ts';
import type { DomainRecord } from '../../model/record/domain-record.ts';
import type {
  DomainId,
  DomainStore,
  FieldChange,
  Matches,
  RecordUpdate,
  SharedValue,
  SortOrder,
  Tag,
  TopValue,
  UpsertCounts,
} from '../domain-store.ts';
import type { Database } from './database.ts';
import { Changes } from './domain/changes.ts';
import { inSlices } from './domain/in-slices.ts';
import { Lanes } from './domain/lanes.ts';
import { openDomains } from './domain/open-domains.ts';
import { Postings } from './domain/postings.ts';
import { isDecidedByFew } from './domain/quick-search.ts';
import { RecordRows } from './domain/record-rows.ts';
import { Search } from './domain/search.ts';
import { TaggedDomains } from './domain/tags.ts';
import { ValueKeys } from './domain/value-keys.ts';
import { Walks } from './domain/walks.ts';

/** Characters of what is handed to the thread that writes, piece by piece: to make one takes about a millisecond. */
const pieceCharacters = 262_144;

export function openDomainStore(data: string, clock: Clock): DomainStore {
  return new EmbeddedDomainStore(join(data, 'domains'), clock);
}

class EmbeddedDomainStore implements DomainStore {
  readonly #clock: Clock;
  readonly #database: Database;
  readonly #lanes: Lanes;
  readonly #rows: RecordRows;
  readonly #keys: ValueKeys;
  readonly #postings: Postings;
  readonly #changes: Changes;
  readonly #tagged: TaggedDomains;
  readonly #walks: Walks;
  readonly #search: Search;
  readonly #atOneMoment: (work: () => void) => void;

  constructor(directory: string, clock: Clock) {
    const path = join(directory, 'domains.db');
    this.#clock = clock;
    this.#database = openDomains(path);
    this.#lanes = new Lanes(path);
    this.#rows = new RecordRows(this.#database);
    this.#keys = new ValueKeys(this.#database);
    this.#postings = new Postings(this.#database);
    this.#changes = new Changes(this.#database);
    this.#tagged = new TaggedDomains(this.#database);
    this.#walks = new Walks(directory);
    this.#search = new Search(this.#database);
    this.#atOneMoment = this.#database.transaction((work: () => void) => work());
  }

  async upsert(updates: readonly RecordUpdate[]): Promise<UpsertCounts> {
    const texts = await inSlices(updates, (update) => JSON.stringify(update));
    const pieces = inPieces(texts);
    const encoded = await inSlices(pieces, (piece) => new TextEncoder().encode(`[${piece.join()}]`));
    const transfer = encoded.map(({ buffer }) => buffer);
    return this.#lanes.run<'upsert'>('write', { kind: 'upsert', updates: encoded }, { transfer });
  }

  findRecords(names: readonly string[]): Promise<readonly (DomainRecord | undefined)[]> {
    return this.#read(names, (name) => {
      const id = this.#rows.findId(name);
      return id === undefined ? undefined : this.#rows.findRecord(id);
    });
  }

  getRecords(ids: readonly DomainId[]): Promise<readonly DomainRecord[]> {
    return this.#read(ids, (id) => {
      const record = this.#rows.findRecord(id);
      if (!record) throw new Problem('not-found', `there is no domain ${id}`);
      return record;
    });
  }

  async search(condition: Condition, order: SortOrder, limit: number): Promise<Matches> {
    if (isDecidedByFew(condition, (part) => this.#countOf(part))) {
      // Asking a thread would take longer than the answer.
      const found = this.#search.find(condition, order, limit);
      return found ? { total: found.length, ids: Array.from(found) } : { total: 'too-many' };
    }
    const lane = asksForText(condition) ? 'slow' : 'quick';
    const ids = await this.#lanes.run<'search'>(lane, { kind: 'search', condition, order, limit });
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
        count = this.#postings.countOf(this.#keys.freshKeyOf(attribute, value));
        known.set(value, count);
      }
      return count;
    });
  }

  listTopValues(ids: readonly DomainId[], attribute: Attribute, limit: number): Promise<readonly TopValue[]> {
    const sorted = Int32Array.from(ids).sort();
    return this.#lanes.run<'top-values'>('slow', { kind: 'top-values', ids: sorted, attribute, limit });
  }

  averageRisksOf(values: readonly SharedValue[]): Promise<readonly (number | undefined)[]> {
    return this.#lanes.run<'average-risks'>('slow', { kind: 'average-risks', values });
  }

  async listChanges(
    domain: string,
    page: Parameters<DomainStore['listChanges']>[1],
  ): Promise<readonly FieldChange[]> {
    return this.#changes.list(domain, page);
  }

  tag(
    domain: string,
    change: Parameters<DomainStore['tag']>[1],
    by: Parameters<DomainStore['tag']>[2],
  ): Promise<boolean> {
    return this.#lanes.run<'tag'>('write', { kind: 'tag', domain, change, by });
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

  verifyCounts(onProgress?: (done: number, all: number) => void): Promise<readonly string[]> {
    return this.#lanes.run<'verify'>('verify', { kind: 'verify' }, { ...(onProgress && { onProgress }) });
  }

  statistics(): Promise<{ readonly records: number; readonly values: number; readonly bytes: number }> {
    return this.#lanes.run<'statistics'>('slow', { kind: 'statistics' });
  }

  async close(): Promise<void> {
    await this.#lanes.close();
    this.#walks.close();
    this.#database.close();
  }

  #countOf({ attributes, value }: Extract<Condition, { kind: 'has' }>): number {
    return attributes.reduce(
      (sum, attribute) => sum + this.#postings.countOf(this.#keys.freshKeyOf(attribute, value)),
      0,
    );
  }

  #read<Item, Result>(items: readonly Item[], work: (item: Item) => Result): Promise<Result[]> {
    return inSlices(items, work, this.#atOneMoment);
  }
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

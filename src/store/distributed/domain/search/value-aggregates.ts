/** Aggregates over domains: the most frequent values of an attribute, and the average risk of the domains with a value. */
import { mapInSlices } from '../../../../concurrency/map-in-slices.ts';
import type { DomainRecord } from '../../../../model/record/domain-record.ts';
import { chunkIds, lowsOf } from '../../../domain/id-chunk.ts';
import type { TopValues } from '../../../domain/search/top-values.ts';
import type { ValueKey, ValueKeys } from '../../../domain/value-keys.ts';
import type { DomainId, SharedValue } from '../../../domain-store.ts';
import type { PostgresDatabase, Transaction } from '../../postgres/database.ts';
import { readColumn } from '../column-rows.ts';
import { chunkNumbersOf, chunksNear, findPostings, type Posting } from '../posting/posting-rows.ts';
import { findTexts } from '../record-rows.ts';
import { everyIdOf } from './id-set.ts';

/** Records that are read by one statement. */
const batchRecords = 200;
const chunksAtOnce = 8;
const mostId = 2 ** 31 - 1;

/** The scores of those domains that have one. */
export interface RiskSum {
  score: number;
  domains: number;
}

/** Of several shards; undefined if none of the domains has a score. */
export function averageOf(sums: readonly RiskSum[]): number | undefined {
  const domains = sums.reduce((sum, one) => sum + one.domains, 0);
  return domains === 0 ? undefined : sums.reduce((sum, one) => sum + one.score, 0) / domains;
}

export class ValueAggregates {
  readonly #database: PostgresDatabase;
  readonly #keys: () => Promise<ValueKeys>;

  constructor(database: PostgresDatabase, keys: () => Promise<ValueKeys>) {
    this.#database = database;
    this.#keys = keys;
  }

  /** Counts the values of these domains. */
  async countValues(top: TopValues, ids: readonly DomainId[]): Promise<void> {
    await this.#database.snapshot(async (sql) => {
      for (let at = 0; at < ids.length; at += batchRecords) {
        const texts = await findTexts(sql, ids.slice(at, at + batchRecords));
        await mapInSlices([...texts.values()], (text) => top.add(JSON.parse(text) as DomainRecord));
      }
    });
  }

  /** Of the domains that have each value. */
  async risksOf(values: readonly SharedValue[]): Promise<readonly RiskSum[]> {
    const valueKeys = await this.#keys();
    const keys = values.map(({ attribute, value }) => valueKeys.keyOf(attribute, value));
    return this.#database.snapshot(async (sql) => {
      const postings = await findPostings(sql, keys);
      const scores = await readColumn(sql, 'risk_score', listedIn(postings));
      const sums: RiskSum[] = [];
      for (const [at, posting] of postings.entries()) {
        const sum: RiskSum = { score: 0, domains: 0 };
        if (posting?.ids) for (const id of posting.ids) add(sum, scores.numberOf(id));
        else if (posting) await addPages(sql, keys[at] as ValueKey, sum);
        sums.push(sum);
      }
      return sums;
    });
  }

  async riskOf(ids: readonly DomainId[]): Promise<RiskSum> {
    return this.#database.read(async (sql) => {
      const scores = await readColumn(sql, 'risk_score', ids);
      const sum: RiskSum = { score: 0, domains: 0 };
      for (const id of ids) add(sum, scores.numberOf(id));
      return sum;
    });
  }
}

function* listedIn(postings: readonly (Posting | undefined)[]): Generator<DomainId> {
  for (const posting of postings) if (posting?.ids) yield* posting.ids;
}

/** The domains of a value that are in pages, some chunks at a time. */
async function addPages(sql: Transaction, key: ValueKey, sum: RiskSum): Promise<void> {
  const chunks = await chunkNumbersOf(sql, key);
  for (let at = 0; at < chunks.length; at += chunksAtOnce) {
    const some = everyIdOf(chunks.slice(at, at + chunksAtOnce), mostId);
    const [found = new Map()] = await chunksNear(sql, [key], some);
    const ids = [...found].flatMap(([chunk, lows]) =>
      Array.from(lowsOf(lows), (low) => (chunk as number) * chunkIds + low),
    );
    const scores = await readColumn(sql, 'risk_score', ids);
    for (const id of ids) add(sum, scores.numberOf(id));
  }
}

function add(sum: RiskSum, score: number): void {
  if (Number.isNaN(score)) return;
  sum.score += score;
  sum.domains += 1;
}

/** Searches over records in both stores, with the records of the page that a caller gets. */
import type { Condition } from '../../src/model/record/condition.ts';
import type { DomainRecord } from '../../src/model/record/domain-record.ts';
import { openDomainStore } from '../../src/store/distributed/domain/domain-store.ts';
import { PostgresDatabase } from '../../src/store/distributed/postgres/database.ts';
import type { DomainStore } from '../../src/store/domain-store.ts';
import { openDomainStore as openEmbeddedStore } from '../../src/store/embedded/domain-store.ts';
import { type Question, questions } from '../data/investigate-queries.ts';
import { recordOf } from '../data/record-lines.ts';
import type { BenchContext, Bound, Result } from '../harness/benchmark.ts';
import { longestIterationMs } from '../harness/longest-iteration.ts';
import { pauseResult } from '../harness/longest-pause.ts';
import { ownUsage } from '../harness/usage.ts';
import { seeded } from '../serving/seeds.ts';
import { compareStores, type Pair } from './compare-stores.ts';
import type { DistributedRecords } from './distributed-records.ts';

const together = 8;
const recordsTogether = 100;
const clock = { now: () => Date.now() };
/** 0.3 of what the embedded store answers in the same CPU time. */
const pivotRatio: Bound = { atMost: 1 / 0.3 };
const wantedOf = ({ name, counted = false }: Question) => {
  if (counted) return { cpuMs: { atMost: 250 } };
  return name.startsWith('pivot') ? { cpuRatio: pivotRatio } : {};
};

export async function benchSearches(
  count: number,
  { url, schema, postgres }: DistributedRecords,
  context: BenchContext,
): Promise<readonly Result[]> {
  const { data } = await seeded('records', count, context);
  const database = new PostgresDatabase({ url, schema, poolMax: together });
  const pair: Pair<DomainStore> = {
    distributed: openDomainStore(database, clock),
    embedded: openEmbeddedStore(data, clock),
    pid: postgres.pid,
  };
  const results: Result[] = [];
  try {
    for (const question of questions) results.push(...(await benchQuestion(question, count, pair, context)));
    results.push(...(await benchUpdates(count, pair, context)));
  } finally {
    await pair.distributed.close();
    await pair.embedded.close();
    await database.close();
  }
  return results;
}

async function benchQuestion(
  question: Question,
  count: number,
  pair: Pair<DomainStore>,
  context: BenchContext,
): Promise<readonly Result[]> {
  const { name, counted = false, samples } = question;
  const conditions = Array.from({ length: question.count }, (_, at) => question.ask(at, count).condition);
  const operations = Math.max(together, samples / context.sized({ tiny: 500, small: 10, full: 2 }));
  return compareStores(
    pair,
    {
      what: `${name}, ${together} at once`,
      unit: 'answers/s',
      operations,
      wanted: wantedOf(question),
      run: async (store) => {
        let asked = 0;
        const askAll = async () => {
          while (asked < operations) {
            asked += 1;
            await ask(store, conditions[asked % conditions.length] as Condition, counted);
          }
        };
        await Promise.all(Array.from({ length: together }, askAll));
      },
    },
    context,
  );
}

async function ask(store: DomainStore, condition: Condition, counted: boolean): Promise<void> {
  const matches = await store.search(condition, { by: 'first_seen', descending: true }, 10_000);
  if (matches.total === 'too-many') throw new Error('too many matches');
  await store.getRecords(matches.ids.slice(0, 500), counted ? ['root'] : []);
}

/** Records of which the title changes, some at once as collectors bring them. In the end they are as they were: others read them too. */
async function benchUpdates(
  count: number,
  pair: Pair<DomainStore>,
  context: BenchContext,
): Promise<readonly Result[]> {
  const operations = Math.min(count, context.sized({ tiny: 200, small: 1000, full: 5000 }));
  let number = 0;
  const update = async (store: DomainStore, ending = ` ${++number}`) => {
    for (let done = 0; done < operations; done += recordsTogether) {
      const updates = Array.from({ length: recordsTogether }, (_, at) => {
        const record = recordOf(done + at, count);
        const website_title = `${record.website_title}${ending}`;
        return { record: { ...record, website_title } as DomainRecord, source: 'bench', seenMs: Date.now() };
      });
      const { changed } = await store.upsert(updates);
      if (changed !== updates.length) throw new Error(`${changed} of ${updates.length} records changed`);
    }
  };
  const work = { what: `updates of records, ${recordsTogether} at once`, unit: 'records/s', operations };
  const compared = await compareStores(pair, { ...work, run: (store) => update(store) }, context);
  let pauseMs = 0;
  const used = await ownUsage(async () => {
    pauseMs = await longestIterationMs(() => update(pair.distributed));
  });
  await update(pair.distributed, '');
  await update(pair.embedded, '');
  return [...compared, pauseResult('updates of records in distributed stores', pauseMs, used)];
}

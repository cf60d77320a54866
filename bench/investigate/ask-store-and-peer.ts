/** Questions to the store of records and to PostgreSQL, in alternation. Both give the records as JSON texts. */
import type { Condition } from '../../src/model/record/condition.ts';
import type { DomainStore } from '../../src/store/domain-store.ts';
import { openDomainStore } from '../../src/store/embedded/domain-store.ts';
import { type BenchQuery, type Question, questions } from '../data/investigate-queries.ts';
import { loadPostgres } from '../data/postgres-records.ts';
import type { BenchContext, Usage } from '../harness/benchmark.ts';
import { quantile } from '../harness/interleave.ts';
import { ownUsage, usageTogether } from '../harness/usage.ts';
import type { Postgres } from '../peers/postgres.ts';
import { seeded } from '../serving/seeds.ts';

/** Some of PostgreSQL's queries take seconds; a sample is enough. */
const peerQuestionsMax = 30;

export interface StoreAnswered extends Usage {
  readonly question: Question;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Undefined where PostgreSQL was not asked. */
  readonly postgresP50Ms: number | undefined;
}

export async function askStoreAndPeer(
  count: number,
  peer: 'with PostgreSQL' | 'alone',
  context: BenchContext,
): Promise<readonly StoreAnswered[]> {
  const { data } = await seeded('records', count, context);
  const postgres = peer === 'alone' ? undefined : await loadPostgres(count, context);
  const store = openDomainStore(data, { now: () => Date.now() });
  const answered: StoreAnswered[] = [];
  try {
    for (const question of questions) {
      const asked = Array.from({ length: question.count }, (_, number) => question.ask(number, count));
      answered.push(await ask(question, asked, { store, postgres, context }));
    }
  } finally {
    await store.close();
    await postgres?.stop();
  }
  return answered;
}

interface Sides {
  readonly store: DomainStore;
  readonly postgres: Postgres | undefined;
  readonly context: BenchContext;
}

async function ask(
  question: Question,
  asked: readonly BenchQuery[],
  { store, postgres, context: { sized } }: Sides,
): Promise<StoreAnswered> {
  const samples = sized({ tiny: 10, small: question.samples / 10, full: question.samples });
  const counted = question.counted ?? false;
  const some = asked.slice(0, sized({ tiny: 3, small: peerQuestionsMax, full: peerQuestionsMax }));
  const rounds = sized({ tiny: 1, small: 2, full: 4 });
  const [ours, theirs]: [number[], number[]] = [[], []];
  const askPeer = async () => {
    if (postgres) for (const one of some) theirs.push(await askPostgres(postgres, one));
  };
  // Once before: code is compiled and caches are filled by then, on both sides.
  for (const one of asked.slice(0, samples)) await askStore(store, one.condition, counted);
  await askPeer();
  theirs.length = 0;
  const usages: Usage[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await askPeer();
    const used = await ownUsage(async () => {
      for (let at = 0; at < samples / rounds; at += 1) {
        const { condition } = asked[(round + at * rounds) % asked.length] as BenchQuery;
        ours.push(await askStore(store, condition, counted));
      }
    });
    usages.push(used);
  }
  return {
    question,
    p50Ms: quantile(ours, 0.5),
    p99Ms: quantile(ours, 0.99),
    postgresP50Ms: postgres ? quantile(theirs, 0.5) : undefined,
    ...usageTogether(...usages),
  };
}

async function askStore(store: DomainStore, condition: Condition, counted: boolean): Promise<number> {
  const began = performance.now();
  const matches = await store.search(condition, { by: 'first_seen', descending: true }, 10_000);
  if (matches.total === 'too-many') throw new Error('too many matches');
  await store.getRecords(matches.ids.slice(0, 500), counted ? ['root'] : []);
  return performance.now() - began;
}

async function askPostgres(postgres: Postgres, { sql, values }: BenchQuery): Promise<number> {
  const began = performance.now();
  await postgres.ask(sql, values);
  return performance.now() - began;
}

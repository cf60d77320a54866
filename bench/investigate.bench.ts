/**
 * Searches over records at two sizes, ten times apart, in the store against PostgreSQL 15 on the same data (jsonb with GIN, trigrams,
 * full text, and for counts a table of all values) with the same questions: pivots on one value, three values at once of which two
 * belong to half of all domains, part of a text, words of WHOIS records, and pages of 500 records with all counts. Both are asked
 * from this process and give the records as JSON texts; PostgreSQL over its socket with prepared statements, as a program would ask
 * it. Then the same over HTTP, where each answer has the counts of all values. BENCH_RECORDS sets the greater size. BENCH_KEEP names
 * a directory in which what was loaded stays for the next run, which then takes minutes; remove `SIZE/store*` or `SIZE/peer*` in it
 * to have that part loaded again.
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Condition } from '../src/model/record/condition.ts';
import type { DomainStore } from '../src/store/domain-store.ts';
import { openDomainStore } from '../src/store/embedded/domain-store.ts';
import { loadRecords } from './data/investigate-data.ts';
import { type BenchQuery, questions } from './data/investigate-queries.ts';
import type { Postgres } from './peers/postgres.ts';
import { memoryOf, type Started, start } from './process-under-test.ts';
import { want } from './want.ts';

const greatest = Number(process.env['BENCH_RECORDS'] ?? 1_000_000);
const kept = process.env['BENCH_KEEP'];
const run = promisify(execFile);

interface Measured {
  readonly p50: number;
  readonly p99: number;
}

export async function bench(): Promise<void> {
  const directory = kept ?? mkdtempSync(join(tmpdir(), 'nameglass-bench-'));
  mkdirSync(directory, { recursive: true });
  // PostgreSQL works as a user of its own.
  chmodSync(directory, 0o755);
  try {
    const lesser = await measureSize(directory, Math.round(greatest / 10));
    const greater = await measureSize(directory, greatest);
    console.log(
      `\nfrom ${(greatest / 10).toLocaleString('en')} to ${greatest.toLocaleString('en')} records:`,
    );
    for (const [name, { p99 }] of greater)
      want(`p99 of ${name} ×`, p99 / (lesser.get(name)?.p99 ?? p99), '<=', 1.5);
  } finally {
    if (kept === undefined) rmSync(directory, { recursive: true, force: true });
  }
}

async function measureSize(directory: string, size: number): Promise<Map<string, Measured>> {
  console.log(`\n${size.toLocaleString('en')} records`);
  const { data, postgres } = await loadRecords(join(directory, String(size)), size);
  try {
    return await askAll(data, directory, postgres, size);
  } finally {
    await postgres.stop();
  }
}

async function askAll(
  data: string,
  directory: string,
  postgres: Postgres,
  size: number,
): Promise<Map<string, Measured>> {
  const store = openDomainStore(data, { now: () => Date.now() });
  const found = new Map<string, Measured>();
  for (const question of questions) {
    const asked = Array.from({ length: question.count }, (_, number) => question.ask(number, size));
    const counted = question.counted ?? false;
    const ours = await each(asked, ({ condition }) => askStore(store, condition, counted), question.samples);
    // Some of the peer's queries take seconds; a sample is enough.
    const some = asked.filter((_, number) => number < 12 || number % 10 === 0);
    const theirs = await each(some, ({ sql, values }) => askPeer(postgres, sql, values));
    const [mine, peer] = [spread(ours), spread(theirs)];
    found.set(question.name, mine);
    console.log(`${question.name}: ${shown(mine)}; PostgreSQL ${shown(peer)}`);
    want('  faster than PostgreSQL ×', peer.p50 / mine.p50, '>=', 3);
  }
  await store.close();
  await askServer(directory, data, size);
  return found;
}

/** One that answers questions and does nothing else: what is new in a million records would keep a worker busy for long. */
async function askServer(directory: string, data: string, size: number): Promise<void> {
  const server = await serve(directory, data);
  for (const question of questions) {
    const asked = Array.from({ length: question.count }, (_, number) => question.ask(number, size));
    const over = await each(asked, ({ query }) => askHttp(server, query));
    console.log(`over HTTP, ${question.name}: ${shown(spread(over))}`);
  }
  console.log(`memory of the server ${memoryOf(server.child).toFixed(0)} MB`);
  server.child.kill();
}

async function askStore(store: DomainStore, condition: Condition, counted: boolean): Promise<number> {
  const began = performance.now();
  const matches = await store.search(condition, { by: 'first_seen', descending: true }, 10_000);
  if (matches.total === 'too-many') throw new Error('too many matches');
  await store.getRecords(matches.ids.slice(0, 500), counted ? ['root'] : []);
  return performance.now() - began;
}

async function askPeer(postgres: Postgres, sql: string, values: readonly string[]): Promise<number> {
  const began = performance.now();
  await postgres.ask(sql, values);
  return performance.now() - began;
}

async function askHttp({ url, key }: Started, query: Record<string, string>): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`${url}/v1/intel-investigate/?${new URLSearchParams(query).toString()}`, {
    headers: { 'x-api-key': key },
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  return performance.now() - began;
}

function shown({ p50, p99 }: Measured): string {
  return `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
}

/** Once more than is measured: code is compiled and caches are filled by then, on all sides. */
async function each(
  asked: readonly BenchQuery[],
  ask: (one: BenchQuery) => Promise<number>,
  samples = asked.length,
): Promise<number[]> {
  const measured: number[] = [];
  for (const one of asked) await ask(one);
  while (measured.length < samples) for (const one of asked) measured.push(await ask(one));
  return measured;
}

function spread(values: readonly number[]): Measured {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

async function serve(directory: string, data: string): Promise<Started> {
  const config = join(directory, 'bench.yaml');
  const settings = ['limits: { productRequestsPerMinute: 1000000 }', 'log: { level: warn }', 'role: api'];
  writeFileSync(config, `${settings.join('\n')}\n`);
  const create = [
    'src/main.ts',
    'account',
    'create',
    '--username',
    `bench-${Date.now()}`,
    '--data',
    data,
    '--json',
  ];
  const { stdout } = await run(process.execPath, create);
  const { api_key: key } = JSON.parse(stdout) as { api_key: string };
  const started = await start(['src/main.ts', 'serve', '--port', '0', '--config', config, '--data', data]);
  return { ...started, key };
}

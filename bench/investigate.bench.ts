/**
 * Searches over records at two sizes, ten times apart, in the store against PostgreSQL 15 on the same data (jsonb with GIN, trigrams,
 * full text, and for counts a table of all values) with the same questions: pivots on one value, three values at once of which two
 * belong to half of all domains, part of a text, words of WHOIS records, and pages of 500 records with all counts. Both are asked
 * from this process and give the records as JSON texts; PostgreSQL over its socket with prepared statements, as a program would ask
 * it. Then the same over HTTP, where each answer has the counts of all values. BENCH_RECORDS sets the greater size.
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Condition } from '../src/model/record/condition.ts';
import type { DomainStore } from '../src/store/domain-store.ts';
import { openDomainStore } from '../src/store/embedded/domain-store.ts';
import { Postgres } from './postgres.ts';
import { measure, memoryOf, type Started, start } from './process-under-test.ts';
import { recordOf, writeRecords } from './record-lines.ts';
import { want } from './want.ts';

const greatest = Number(process.env['BENCH_RECORDS'] ?? 1_000_000);
/** Enough for the slowest in a hundred to be of the question, not of the moment. */
const rounds = 10;
const run = promisify(execFile);

interface Asked {
  /** Parameters of Investigate. */
  readonly query: Record<string, string>;
  readonly condition: Condition;
  readonly sql: string;
  readonly values: readonly string[];
}

interface Question {
  readonly name: string;
  readonly count: number;
  readonly counted?: boolean;
  ask(number: number, size: number): Asked;
}

const has = (attribute: string, value: string): Condition => ({
  kind: 'has',
  attributes: [attribute],
  value,
});

const page = (where: string) =>
  `select doc::text from record where ${where} order by first_seen desc, name limit 500`;
const holds = 'doc @> $1::text::jsonb';

/** All values of a page with the number of domains that have each. */
const countedPage = (where: string) =>
  `with page as (select id, doc from record where ${where} order by first_seen desc, name limit 500), ` +
  'wanted as (select distinct v.attribute, v.value from value v join page p on p.id = v.record), ' +
  'counts as (select w.attribute, w.value, (select count(*) from value v where v.attribute = w.attribute and v.value = w.value) domains from wanted w) ' +
  'select (select json_agg(doc::text) from page), (select json_agg(c) from counts c)';

const sampleOf = (number: number, size: number) => recordOf(Math.floor((number * size) / 211) % size, size);

const questions: readonly Question[] = [
  {
    name: 'pivot on an address',
    count: 200,
    ask: (number, size) => {
      const address = sampleOf(number, size).ip[0]?.address ?? '';
      return {
        query: { ip: address },
        condition: has('ip.address', address),
        sql: page(holds),
        values: [JSON.stringify({ ip: [{ address }] })],
      };
    },
  },
  {
    name: 'pivot on a certificate',
    count: 200,
    ask: (number, size) => {
      const hash = sampleOf(number, size).ssl_info[0]?.hash ?? '';
      return {
        query: { ssl_hash: hash },
        condition: has('ssl_info.hash', hash),
        sql: page(holds),
        values: [JSON.stringify({ ssl_info: [{ hash }] })],
      };
    },
  },
  {
    name: 'three values, two of them of half of all domains',
    count: 100,
    ask: (number, size) => {
      const title = sampleOf(number, size).website_title;
      const query = {
        registrar: 'Registrar 0 LLC',
        ssl_issuer_common_name: 'Issuer 0',
        website_title: title,
      };
      const parts = {
        parsed_whois: { registrar: 'Registrar 0 LLC' },
        ssl_info: [{ issuer_common_name: 'Issuer 0' }],
        website_title: title,
      };
      const of = [
        has('registrar', 'Registrar 0 LLC'),
        has('ssl_info.issuer_common_name', 'Issuer 0'),
        has('website_title', title),
      ];
      return { query, condition: { kind: 'and', of }, sql: page(holds), values: [JSON.stringify(parts)] };
    },
  },
  {
    name: 'part of an organization',
    count: 60,
    ask: (number, size) => {
      const text = sampleOf(number, size).parsed_whois.registrant_org.slice(2);
      const sql = page("lower(doc #>> '{parsed_whois,registrant_org}') like $1");
      const condition: Condition = { kind: 'contains', attributes: ['registrant_org'], text };
      return { query: { registrant_org: text }, condition, sql, values: [`%${text}%`] };
    },
  },
  {
    name: 'words of the WHOIS record',
    count: 60,
    ask: (number, size) => {
      const text = sampleOf(number, size).parsed_whois.registrant_name;
      const vector = "to_tsvector('simple', doc #>> '{parsed_whois,record}')";
      return {
        query: { whois: text },
        condition: { kind: 'whois', over: 'latest', text },
        sql: page(`${vector} @@ phraseto_tsquery('simple', $1)`),
        values: [text],
      };
    },
  },
  {
    name: 'page of 500 with all counts',
    count: 12,
    counted: true,
    ask: (number) => {
      const registrar = `Registrar ${6 + (number % 2)} LLC`;
      const values = [JSON.stringify({ parsed_whois: { registrar } })];
      return {
        query: { registrar },
        condition: has('registrar', registrar),
        sql: countedPage(holds),
        values,
      };
    },
  },
];

interface Measured {
  readonly p50: number;
  readonly p99: number;
}

export async function bench(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-bench-'));
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
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureSize(directory: string, size: number): Promise<Map<string, Measured>> {
  const lines = join(directory, 'records.ndjson');
  const data = join(directory, `data-${size}`);
  await writeRecords(lines, size);
  console.log(
    `\n${size.toLocaleString('en')} records, ${(statSync(lines).size / 1e6).toFixed(0)} MB of JSON`,
  );
  const imported = await measure(process.execPath, [
    'src/main.ts',
    'import',
    'records',
    lines,
    '--data',
    data,
  ]);
  const { stdout } = await run('du', ['-sb', data]);
  console.log(
    `import ${imported.seconds.toFixed(0)} s, ${Math.round(size / imported.seconds).toLocaleString('en')} records/s, ` +
      `${imported.memory.toFixed(0)} MB memory, ${Math.round(Number.parseInt(stdout, 10) / size)} bytes on disk per record`,
  );
  const postgres = new Postgres(mkdtempSync(join(directory, 'peer-')));
  try {
    const seconds = loadPeer(postgres, lines);
    console.log(`PostgreSQL: load and index ${seconds.toFixed(0)} s`);
    return await askAll(data, directory, postgres, size);
  } finally {
    await postgres.stop();
  }
}

/** What a careful user of PostgreSQL would build for these questions. */
function loadPeer(postgres: Postgres, lines: string): number {
  return postgres.run(`
create extension pg_trgm;
create table record (id serial primary key, name text, first_seen timestamptz, doc jsonb);
create temp table raw (line text);
\\copy raw from '${lines}' with (format csv, delimiter E'\\x01', quote E'\\x02')
insert into record (name, first_seen, doc) select doc->>'domain', (doc->>'first_seen')::timestamptz, doc from (select line::jsonb doc from raw) r;
create index on record using gin (doc jsonb_path_ops);
create index on record using gin (lower(doc #>> '{parsed_whois,registrant_org}') gin_trgm_ops);
create index on record using gin (to_tsvector('simple', doc #>> '{parsed_whois,record}'));
create index on record (first_seen desc, name);
create table value as
  select id record, t.attribute, t.value from record, lateral (
    select p || '.' || k, v from unnest(array['registrant_contact', 'admin_contact', 'technical_contact']) p,
      jsonb_each_text((doc #> array['parsed_whois', p]) - 'email') c (k, v)
    union all select p || '.email', e from unnest(array['registrant_contact', 'admin_contact', 'technical_contact']) p,
      jsonb_array_elements_text(doc #> array['parsed_whois', p, 'email']) e
    union all select k, doc #>> array['parsed_whois', k] from unnest(array['registrar', 'create_date', 'expiration_date', 'registrant_name', 'registrant_org']) k
    union all select k, doc->>k from unnest(array['website_title', 'server_type']) k
    union all select 'soa_email', e from jsonb_array_elements_text(doc->'soa_email') e
    union all select 'analytics_v4_codes', e from jsonb_array_elements_text(doc->'analytics_v4_codes') e
    union all select 'ip.' || k, e->>k from jsonb_array_elements(doc->'ip') e, unnest(array['address', 'country_code', 'isp']) k
    union all select 'ip.asn', a from jsonb_array_elements(doc->'ip') e, jsonb_array_elements_text(e->'asn') a
    union all select p || '.' || k, e->>k from unnest(array['mx', 'name_server']) p, jsonb_array_elements(doc->p) e, unnest(array['host', 'domain']) k
    union all select p || '.ip', a from unnest(array['mx', 'name_server']) p, jsonb_array_elements(doc->p) e, jsonb_array_elements_text(e->'ip') a
    union all select 'ssl_info.' || k, e->>k from jsonb_array_elements(doc->'ssl_info') e,
      unnest(array['hash', 'subject', 'common_name', 'issuer_common_name', 'not_before', 'not_after', 'duration']) k
    union all select 'ssl_info.alt_names', a from jsonb_array_elements(doc->'ssl_info') e, jsonb_array_elements_text(e->'alt_names') a
  ) t (attribute, value) where t.value <> '';
create index on value (attribute, value);
create index on value (record);
analyze;
`);
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
    const ours = await each(asked, ({ condition }) => askStore(store, condition, counted), rounds);
    // Some of the peer's answers take seconds; a part of them tells enough.
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

/** Afterwards: a server has work of its own on records that it has not seen yet. */
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
  asked: readonly Asked[],
  ask: (one: Asked) => Promise<number>,
  times = 1,
): Promise<number[]> {
  const measured: number[] = [];
  for (const one of asked) await ask(one);
  for (let time = 0; time < times; time += 1) for (const one of asked) measured.push(await ask(one));
  return measured;
}

function spread(values: readonly number[]): Measured {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

async function serve(directory: string, data: string): Promise<Started> {
  const config = join(directory, 'bench.yaml');
  writeFileSync(config, 'limits: { productRequestsPerMinute: 1000000 }\nlog: { level: warn }\n');
  const create = ['src/main.ts', 'account', 'create', '--username', 'bench', '--data', data, '--json'];
  const { stdout } = await run(process.execPath, create);
  const { api_key: key } = JSON.parse(stdout) as { api_key: string };
  const started = await start(['src/main.ts', 'serve', '--port', '0', '--config', config, '--data', data]);
  return { ...started, key };
}

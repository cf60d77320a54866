/** `npm run bench -- pdns --store distributed`: the stores of passive DNS that several nodes share beside the embedded one, with the same rows in the same run. */
import { parseName } from '../../../src/model/dns/name.ts';
import { openRrsetStore } from '../../../src/store/embedded/rrset-store.ts';
import type { Row, RrsetStore, Scan, Selection } from '../../../src/store/rrset-store.ts';
import { type BenchContext, type Result, resultOf } from '../../harness/benchmark.ts';
import { seedCounts, seeded } from '../../serving/seeds.ts';
import { queriedNames } from '../queried-names.ts';
import { type Measured, measureOperations, type Operation, readPage, readRows } from './measure-store.ts';
import { type ComparedStores, openComparedStores, type StoreName, storeNames } from './open-stores.ts';

const everything: Scan = {
  selection: { by: 'owner', name: new Uint8Array(1), span: 'below' },
  filter: { types: 'any', fences: {} },
  merged: false,
  nowSeconds: Math.floor(Date.now() / 1000),
};
/** Of 5,000,000 rows ClickHouse 18.16 would need an hour here. */
const rowsMax = 1_000_000;
const addressesMax = 1000;

export async function benchStores(context: BenchContext): Promise<readonly Result[]> {
  const count = Math.min(context.sized(seedCounts.rrsets), rowsMax);
  const { data } = await seeded('rrsets', count, context);
  const { names } = await queriedNames(data);
  const addresses = await storedAddresses(data);
  const stores = await openComparedStores(context);
  try {
    const results = [...(await benchImport(data, stores, context))];
    for (const [what, operations] of lookupsOf({ names, addresses, count }, context))
      results.push(...(await compare(what, operations, stores, context)));
    return results;
  } finally {
    await stores.close();
  }
}

/** IPv4 addresses from all over a store. */
async function storedAddresses(data: string): Promise<readonly Uint8Array[]> {
  const store = openRrsetStore(data, { now: () => Date.now() });
  const found: Uint8Array[] = [];
  let rows = 0;
  const filter = { types: { only: new Set([1]) }, fences: {} };
  for await (const slice of store.scan({ ...everything, merged: true, filter })) {
    for (const { rdata } of slice) {
      rows += 1;
      // Every row is kept with the same chance.
      const place = rows <= addressesMax ? rows - 1 : Math.floor(Math.random() * rows);
      if (place < addressesMax) found[place] = rdata[0] ?? new Uint8Array(4);
    }
  }
  await store.close();
  return found;
}

/** Rows of another store, so that reading them costs each the same. */
async function benchImport(
  data: string,
  stores: ComparedStores,
  { note }: BenchContext,
): Promise<readonly Result[]> {
  const source = openRrsetStore(data, { now: () => Date.now() });
  const measured: Partial<Record<StoreName, Measured>> = {};
  try {
    for (const name of storeNames) {
      note(`import into ${name}`);
      measured[name] = await measureOperations(stores[name], [(store) => copyRows(source, store)]);
    }
  } finally {
    await source.close();
  }
  return resultsOf('import', measured as Record<StoreName, Measured>, ({ p50Ms, rows }) => ({
    value: rows / (p50Ms / 1000),
    unit: 'rows/s',
  }));
}

async function copyRows(source: RrsetStore, store: RrsetStore): Promise<number> {
  const intake = await store.openIntake({ importId: 'bench' });
  let rows = 0;
  for await (const slice of source.scan(everything)) {
    for (const row of slice) {
      await intake.add({ ...plain(row), bailiwick: row.bailiwick ?? new Uint8Array(1) });
      rows += 1;
    }
  }
  await intake.finish();
  return rows;
}

const plain = ({ origin, owner, type, rdata, firstSeconds, lastSeconds, count }: Row) => ({
  origin,
  owner,
  type,
  rdata,
  firstSeconds,
  lastSeconds,
  count,
});

interface Stored {
  readonly names: readonly string[];
  readonly addresses: readonly Uint8Array[];
  readonly count: number;
}

function lookupsOf(
  { names, addresses, count }: Stored,
  { sized }: BenchContext,
): readonly (readonly [string, readonly Operation[]])[] {
  const each = sized({ tiny: 10, small: 200, full: 1000 });
  const few = sized({ tiny: 3, small: 20, full: 50 });
  const asked = Array.from({ length: each }, (_, at) => wireOf(names[(at * 7) % names.length] ?? '.'));
  const owner = (name: Uint8Array, span: 'none' | 'below' | 'right'): Selection => ({
    by: 'owner',
    name,
    span,
  });
  const parentOf = (name: Uint8Array) => name.subarray((name[0] ?? 0) + 1);
  const network = (at: number, bits: 24 | 16): Selection => {
    const [a = 0, b = 0, c = 0] = addresses[at % addresses.length] ?? [];
    const [low, high] = bits === 24 ? [c, c] : [0, 255];
    return { by: 'address', from: Uint8Array.of(a, b, low, 0), to: Uint8Array.of(a, b, high, 255) };
  };
  const deep = Math.min(100_000, Math.floor(count / 2));
  const patterns = Array.from({ length: few }, (_, at) => `^[a-z]+${at}[a-z0-9]*\\.`);
  return [
    ['lookup of a name', asked.map((name) => readPage({ selection: owner(name, 'none') }, 1000))],
    [
      'wildcard on the left, 1,000 rows',
      asked.map((name) => readPage({ selection: owner(parentOf(name), 'below') }, 1000)),
    ],
    [
      'wildcard on the right, 100 rows',
      asked.slice(0, few).map((name) => readPage({ selection: owner(firstLabel(name), 'right') }, 100)),
    ],
    ['CIDR /24, 1,000 rows', asked.map((_, at) => readPage({ selection: network(at, 24) }, 1000))],
    ['CIDR /16, 1,000 rows', asked.map((_, at) => readPage({ selection: network(at, 16) }, 1000))],
    ['regular expression over all names', patterns.map(searchNames)],
    [
      `1,000 rows after ${deep.toLocaleString('en')}`,
      patterns.map((_, at) => readPage({ selection: everything.selection, skip: deep - at }, 1000)),
    ],
  ];
}

const searchNames =
  (pattern: string): Operation =>
  (store) =>
    readRows(
      store.scanText({
        over: 'names',
        pattern: { kind: 'regex', text: pattern },
        filter: { fences: {} },
      }),
      1000,
    );

function wireOf(name: string): Uint8Array {
  const wire = parseName(name);
  if (!wire) throw new Error(`${name} is no name`);
  return wire;
}

const firstLabel = (name: Uint8Array) => Uint8Array.of(...name.subarray(0, (name[0] ?? 0) + 1), 0);

async function compare(
  what: string,
  operations: readonly Operation[],
  stores: ComparedStores,
  { note }: BenchContext,
): Promise<readonly Result[]> {
  const measured: Partial<Record<StoreName, Measured>> = {};
  for (const name of storeNames) {
    // A node fetches what it needs with the first lookup of a kind.
    await measureOperations(stores[name], operations.slice(0, 1));
    measured[name] = await measureOperations(stores[name], operations.slice(1));
  }
  const rows = new Set(storeNames.map((name) => measured[name]?.rows));
  if (rows.size !== 1) throw new Error(`${what}: the stores gave ${[...rows].join(', ')} rows`);
  const all = measured as Record<StoreName, Measured>;
  note(`${what}: ${operations.length - 1} times, ${all.embedded.rows} rows`);
  return [
    ...resultsOf(`p50 of ${what}`, all, ({ p50Ms }) => ({ value: p50Ms, unit: 'ms' })),
    ...resultsOf(`p99 of ${what}`, all, ({ p99Ms }) => ({ value: p99Ms, unit: 'ms' })),
    ...resultsOf(`CPU time with servers: ${what}`, all, ({ cpuMs }) => ({ value: cpuMs, unit: 'ms' })),
  ];
}

function resultsOf(
  what: string,
  measured: Readonly<Record<StoreName, Measured>>,
  figureOf: (measured: Measured) => Result['ours'],
): readonly Result[] {
  return (['segments', 'clickhouse'] as const).map((name) =>
    resultOf({
      work: `${what}, ${name}`,
      ours: figureOf(measured[name]),
      peer: { name: 'embedded', ...figureOf(measured.embedded) },
      cpuSeconds: measured[name].cpuSeconds,
      memoryBytes: measured[name].memoryBytes,
    }),
  );
}

/** `npm run bench -- pdns --store distributed`: the stores of passive DNS that several nodes share beside the embedded one, with the same rows in the same run. */
import { parseName } from '../../../src/model/dns/name.ts';
import { openRrsetStore } from '../../../src/store/embedded/rrset-store.ts';
import type { Row, RrsetStore, Scan, Selection } from '../../../src/store/rrset-store.ts';
import { type BenchContext, type Result, resultOf } from '../../harness/benchmark.ts';
import { median } from '../../harness/interleave.ts';
import { seedCounts, seeded } from '../../serving/seeds.ts';
import { queriedNames } from '../queried-names.ts';
import { type Measured, measureOperations, type Operation, readPage, readRows } from './measure-store.ts';
import { type ComparedStores, openComparedStores, type StoreName, storeNames } from './open-stores.ts';
import { busiestNetworks, type Network, networksHolding, storedAddresses } from './queried-networks.ts';

const everything: Scan = {
  selection: { by: 'owner', name: new Uint8Array(1), span: 'below' },
  filter: { types: 'any', fences: {} },
  merged: false,
  nowSeconds: Math.floor(Date.now() / 1000),
};
/** Of 5,000,000 rows ClickHouse 18.16 would need an hour here. */
const rowsMax = 1_000_000;

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
  /** As `storedAddresses` finds them. */
  readonly addresses: readonly number[];
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
  const page = 1000;
  const networks = {
    busy: busiestNetworks(addresses, 24, each),
    large: networksHolding(addresses, Math.min(page, Math.ceil(addresses.length / 20)), each),
  };
  const rowsOf = (of: readonly Network[]) =>
    Math.round(median(of.map(({ rows }) => rows))).toLocaleString('en');
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
    [
      `CIDR, the busiest /24 of the store, ${rowsOf(networks.busy)} rows`,
      networks.busy.map(({ selection }) => readPage({ selection }, page)),
    ],
    [
      `CIDR, up to 1,000 of ${rowsOf(networks.large)} rows`,
      networks.large.map(({ selection }) => readPage({ selection }, page)),
    ],
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

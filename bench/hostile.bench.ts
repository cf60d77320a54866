/**
 * Hostile clients: how long health and the lookups of another key take while one sends form bodies that are costly to parse, while
 * one key runs searches that are costly to match, while clients stop reading, and while they do it together; and the memory of the server
 * for each client that stopped reading. Latencies are the time that the main thread of the server worked between request and answer; the peer
 * is the same server without attackers. Last, what checksums cost on lookups and scans.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { probedName } from './data/hostile-lines.ts';
import { type Bench, type BenchContext, type Result, resultOf, type Usage } from './harness/benchmark.ts';
import { ownUsage, usageOf } from './harness/usage.ts';
import { measureChecksumCost } from './hostile/checksum-cost.ts';
import {
  type End,
  formBodies,
  searches,
  stalledDownloads,
  stalledReaders,
} from './hostile/hostile-clients.ts';
import { type HostileServer, startHostileServer } from './hostile/hostile-server.ts';
import { type Latencies, probe, quantileMs } from './hostile/latency.ts';
import { heldBytes } from './hostile/server-memory.ts';

const latencyMsMax = 100;
const heldKibMax = 256;

interface Attack {
  readonly what: string;
  readonly begin: (count: number) => readonly End[];
  /** Clients that stop reading, for each of which memory is counted. */
  readonly stalled?: number;
}

export const bench: Bench = async (context) => {
  const hostile = await startHostileServer(context);
  const attacks = attacksOn(hostile, context);
  // Caches fill once, whatever is read.
  await during(hostile, attacks[1]?.begin(1) ?? [], context);
  const idle = await during(hostile, [], context);
  const results: Result[] = [];
  for (const attack of attacks) results.push(...(await measure(hostile, attack, { idle, context })));
  await hostile.server.stop();
  return [...results, ...(await checksumResults(context))];
};

function attacksOn({ server: { url }, keys }: HostileServer, { sized }: BenchContext): readonly Attack[] {
  const stalled = sized({ tiny: 20, small: 200, full: 500 });
  const searching = sized({ tiny: 4, small: 32, full: 32 });
  return [
    { what: 'form bodies of 1 MB without a key', begin: () => [formBodies(url)] },
    { what: `${searching} hostile searches`, begin: () => [searches(url, keys.searcher, searching)] },
    {
      what: `${stalled} stalled readers`,
      begin: () => [stalledReaders(url, keys.readers, stalled)],
      stalled,
    },
    {
      what: `${stalled} stalled downloads`,
      begin: () => [stalledDownloads(url, keys.download, stalled)],
      stalled,
    },
    {
      what: `${searching} hostile searches and ${stalled} stalled readers`,
      begin: () => [searches(url, keys.searcher, searching), stalledReaders(url, keys.readers, stalled)],
    },
  ];
}

interface Observed extends Usage {
  readonly latencies: Latencies;
  readonly heldBytes: number;
}

async function during(
  hostile: HostileServer,
  ends: readonly End[],
  context: BenchContext,
): Promise<Observed> {
  const { server, keys } = hostile;
  const seconds = context.sized({ tiny: 0.3, small: 4, full: 15 });
  // A parameter without effect bypasses the cache of answers.
  const path = `/pdns/v2/lookup/rrset/name/${probedName}?humantime=f`;
  try {
    const { value: latencies, ...usage } = await usageOf(server.pid, () =>
      probe({ url: server.url, pid: server.pid, key: keys.probe, path }, seconds),
    );
    return { ...usage, latencies, heldBytes: await heldBytes(hostile) };
  } finally {
    for (const end of ends) end();
    await pause(context.sized({ tiny: 100, small: 500, full: 1000 }));
  }
}

interface Beside {
  readonly idle: Observed;
  readonly context: BenchContext;
}

async function measure(
  hostile: HostileServer,
  attack: Attack,
  { idle, context }: Beside,
): Promise<readonly Result[]> {
  const before = await heldBytes(hostile);
  const observed = await during(hostile, attack.begin(1), context);
  const { cpuSeconds, memoryBytes } = observed;
  const rows = (['health', 'lookup'] as const).map((asked) =>
    resultOf({
      work: `p99 of ${asked === 'health' ? 'health' : 'a lookup'}: ${attack.what}`,
      ours: { value: quantileMs(observed.latencies[asked], 0.99), unit: 'ms' },
      peer: { name: 'no attack', value: quantileMs(idle.latencies[asked], 0.99), unit: 'ms' },
      wanted: { ours: { atMost: latencyMsMax } },
      cpuSeconds,
      memoryBytes,
    }),
  );
  if (attack.stalled === undefined) return rows;
  const held = Math.max(0, observed.heldBytes - before) / attack.stalled / 1024;
  return [
    ...rows,
    resultOf({
      work: `held for each of ${attack.what}`,
      ours: { value: held, unit: 'KiB' },
      wanted: { ours: { atMost: heldKibMax } },
      cpuSeconds,
      memoryBytes,
    }),
  ];
}

async function checksumResults({ directory, sized }: BenchContext): Promise<readonly Result[]> {
  const rrsets = sized({ tiny: 2000, small: 50_000, full: 200_000 });
  const {
    value: cost,
    cpuSeconds,
    memoryBytes,
  } = await ownUsage(() => measureChecksumCost(directory, rrsets));
  const row = (work: string, part: number, whole: number) =>
    resultOf({
      work,
      ours: { value: part, unit: 'µs' },
      peer: { name: 'the whole', value: whole, unit: 'µs' },
      cpuSeconds,
      memoryBytes,
    });
  return [
    row('checksums of a scan, for each row', cost.scanChecksumMicroseconds, cost.scanMicroseconds),
    row('checksums of a lookup without cache', cost.microsecondsPerBlock, cost.uncachedLookupMicroseconds),
  ];
}

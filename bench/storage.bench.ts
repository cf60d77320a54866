/**
 * How many bytes of disk each kept thing takes: domains and host names that a server reads from a list, matches and scores, imported domain
 * records, imported passive DNS; against the bytes of the lines they came as. docs/sizing.md is computed from these figures.
 */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { madeNames, newNames } from './data/known-names.ts';
import { writeLines } from './data/pdns-lines.ts';
import { writeRecords } from './data/record-lines.ts';
import { type Bench, type BenchContext, type Result, resultOf, type Usage } from './harness/benchmark.ts';
import { usageOf } from './harness/usage.ts';
import { runNameglass } from './serving/run-command.ts';
import { startServer } from './serving/serving-process.ts';

/** Of all files below a path. */
function bytesOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.size ?? 0;
  return readdirSync(path).reduce((bytes, name) => bytes + bytesOf(join(path, name)), 0);
}

interface Kept extends Usage {
  readonly what: string;
  readonly count: number;
  readonly data: string;
  /** The file that the things came from. */
  readonly lines: string;
}

function resultOfKept({ what, count, data, lines, ...usage }: Kept, { note }: BenchContext): Result {
  const parts = readdirSync(data, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.includes('/') || /^(?:streams|domains)\/[^/]+$/.test(name))
    .filter((name) => name !== 'streams' && name !== 'domains')
    .map((name) => [name, bytesOf(join(data, name)) / count] as const)
    .filter(([, bytes]) => bytes >= 1)
    .sort(([, left], [, right]) => right - left);
  note(`${what}, bytes each: ${parts.map(([name, bytes]) => `${name} ${bytes.toFixed(1)}`).join(', ')}`);
  return resultOf({
    work: `disk for each of ${count.toLocaleString('en')} ${what}`,
    ours: { value: parts.reduce((sum, [, bytes]) => sum + bytes, 0), unit: 'bytes' },
    peer: { name: 'its line', value: bytesOf(lines) / count, unit: 'bytes' },
    cpuSeconds: usage.cpuSeconds,
    memoryBytes: usage.memoryBytes,
  });
}

/** A server that probes nothing reads a list of names, until all of them have their full score. */
async function serveNames(what: string, names: readonly string[], context: BenchContext): Promise<Result> {
  const [lines, data] = [`names-${names.length}.txt`, `served-${names.length}`].map((name) =>
    join(context.directory, name),
  ) as [string, string];
  writeFileSync(lines, `${names.join('\n')}\n`);
  const settings = {
    'sources.nameLists': JSON.stringify([{ name: 'list', location: lines }]),
    'sources.pollSeconds': '1',
    'collect.newDomains': 'false',
    'risk.fullAfterSeconds': '1',
  };
  const server = await startServer({ data, role: 'all', settings }, context);
  const { cpuSeconds, memoryBytes } = await usageOf(server.pid, async () => {
    for (let quiet = 0; quiet < 2; await pause(500)) quiet = (await isDone(server.url)) ? quiet + 1 : 0;
  });
  await server.stop();
  return resultOfKept({ what, count: names.length, data, lines, cpuSeconds, memoryBytes }, context);
}

/** Whether something was read, and nothing is left to be matched or scored. */
async function isDone(url: string): Promise<boolean> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const valueOf = (name: string, kind: string) =>
    Number(new RegExp(`^nameglass_${name}\\{kind="${kind}"[^}]*\\} (\\d+)`, 'm').exec(text)?.[1]);
  const left = ['due', 'leased', 'waiting'].reduce(
    (sum, state) => sum + valueOf('jobs', `score_${state}`),
    0,
  );
  return valueOf('risk', 'full') > 0 && left === 0 && valueOf('discovery', 'lag_bytes') === 0;
}

async function importLines(
  kind: 'records' | 'rrsets',
  count: number,
  context: BenchContext,
): Promise<Result> {
  const [lines, data] = [join(context.directory, `${kind}.ndjson`), join(context.directory, kind)];
  await (kind === 'records' ? writeRecords : writeLines)(lines, count);
  const format = kind === 'records' ? [] : ['--format', 'cof'];
  const usage = await runNameglass('import', kind, lines, ...format, '--data', data);
  const what = kind === 'records' ? 'domain records, imported' : 'observations of RRsets, imported';
  return resultOfKept({ ...usage, what, count, data, lines }, context);
}

export const bench: Bench = async (context) => {
  const { size, sized } = context;
  const count = sized({ tiny: 500, small: 5000, full: 50_000 });
  const domains = [...new Set(size === 'tiny' ? madeNames(count) : newNames(count))];
  const hosts = domains.flatMap((domain) => [`login.${domain}`, `mail.${domain}`]);
  const results = [await serveNames('new domains, read, matched and scored', domains, context)];
  if (size !== 'tiny') results.push(await serveNames('host names, two of each new domain', hosts, context));
  // At tiny size the import of records stands for both.
  results.push(await importLines('records', sized({ tiny: 300, small: 3000, full: 30_000 }), context));
  if (size !== 'tiny')
    results.push(await importLines('rrsets', sized({ tiny: 0, small: 50_000, full: 500_000 }), context));
  return results;
};

/**
 * How many bytes of disk each kept thing takes: domains and host names that a server reads from a list, matches and scores, imported domain
 * records, imported passive DNS. docs/sizing.md is computed from these figures.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeLines } from './data/pdns-lines.ts';
import { writeRecords } from './data/record-lines.ts';
import { namesFor } from './pipeline/names.ts';

const names = Number(process.env['BENCH_NAMES'] ?? 50_000);
const records = Number(process.env['BENCH_RECORDS'] ?? 30_000);
const rrsets = Number(process.env['BENCH_RRSETS'] ?? 500_000);
const main = join(import.meta.dirname, '../src/main.ts');

/** Of all files below a path. */
function bytesOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.size ?? 0;
  return readdirSync(path).reduce((bytes, name) => bytes + bytesOf(join(path, name)), 0);
}

/** The parts of a data directory, in bytes for each thing. */
function report(what: string, count: number, data: string, seconds: number): void {
  const parts = readdirSync(data, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.includes('/') || /^(?:streams|domains)\/[^/]+$/.test(name))
    .filter((name) => name !== 'streams' && name !== 'domains')
    .map((name) => [name, bytesOf(join(data, name)) / count] as const)
    .filter(([, bytes]) => bytes >= 1)
    .sort(([, a], [, b]) => b - a);
  const all = parts.reduce((sum, [, bytes]) => sum + bytes, 0);
  const perSecond = Math.round(count / seconds).toLocaleString('en');
  console.log(`${what}: ${count.toLocaleString('en')}, ${Math.round(all)} bytes each, ${perSecond} a second`);
  for (const [name, bytes] of parts) console.log(`    ${name.padEnd(32)} ${bytes.toFixed(1)}`);
}

/** The command line, in a process of its own. */
function timed(args: readonly string[]): number {
  const began = performance.now();
  execFileSync(process.execPath, [main, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  return (performance.now() - began) / 1000;
}

/** A server that probes nothing reads a list of names, until all of them have their full score. */
async function served(data: string, list: string): Promise<number> {
  const settings = {
    'sources.nameLists': JSON.stringify([{ name: 'list', location: list }]),
    'collect.newDomains': 'false',
    'risk.fullAfterSeconds': '1',
  };
  const flags = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', '--data', data, '--set', ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const began = performance.now();
  const ready = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const url = /ready at (\S+)/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const url = await ready;
  for (let quiet = 0; quiet < 3; await pause(1000)) quiet = (await isDone(url)) ? quiet + 1 : 0;
  const seconds = (performance.now() - began) / 1000;
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
  return seconds;
}

/** Whether something was read, and nothing is left to be matched or scored. */
async function isDone(url: string): Promise<boolean> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const valueOf = (name: string, kind: string) =>
    Number(new RegExp(`^nameglass_${name}\\{kind="${kind}"\\} (\\d+)`, 'm').exec(text)?.[1]);
  const left = ['due', 'leased', 'waiting'].reduce(
    (sum, state) => sum + valueOf('jobs', `score_${state}`),
    0,
  );
  return valueOf('risk', 'full') > 0 && left === 0 && valueOf('discovery', 'lag_bytes') === 0;
}

export async function bench(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-bench-'));
  const at = (name: string) => join(directory, name);
  try {
    mkdirSync(at('lists'));
    const domains = [...new Set(namesFor(names))];
    const hosts = domains.flatMap((domain) => [`login.${domain}`, `mail.${domain}`]);
    for (const [what, list] of [
      ['new domains', domains],
      ['host names, two of each new domain', hosts],
    ] as const) {
      const [file, data] = [at(`lists/${list.length}.txt`), at(`served-${list.length}`)];
      writeFileSync(file, `${list.join('\n')}\n`);
      const seconds = await served(data, file);
      report(`${what}, read, matched and scored`, list.length, data, seconds);
    }
    await writeRecords(at('records.ndjson'), records);
    const ofRecords = timed(['import', 'records', at('records.ndjson'), '--data', at('records')]);
    report('domain records, imported', records, at('records'), ofRecords);
    await writeLines(at('rrsets.cof'), rrsets);
    const ofRrsets = timed(['import', 'rrsets', at('rrsets.cof'), '--format', 'cof', '--data', at('rrsets')]);
    report('observations of RRsets, imported', rrsets, at('rrsets'), ofRrsets);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Domains of the world probed from job to durable record, without per-host limits. The machine's own limits beside it: datagrams
 * that only come back, and pages of the same sites that are only fetched, with as much under way at once.
 */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Collector } from '../../src/collect/collectors/collector.ts';
import { createDnsCollector } from '../../src/collect/collectors/dns/dns-collector.ts';
import type { Settings } from '../../src/model/settings/settings.ts';
import { type CollectorsCounts, startCollectors } from '../../src/pipeline/collection/start-collectors.ts';
import { openEmbeddedStores } from '../../src/store/embedded/open-stores.ts';
import { WorldClock } from '../../world/clock.ts';
import { Story } from '../../world/story/story.ts';
import type { WorldDomain } from '../../world/world-domain.ts';
import { type BenchContext, type Result, resultOf } from '../harness/benchmark.ts';
import { longestPauseMs, pauseResult } from '../harness/longest-pause.ts';
import { ownUsage, type Used } from '../harness/usage.ts';
import { allCollectors, hurriedSettings } from './all-collectors.ts';
import { firstLineOf, startWorldProcess, stopProcess } from './world-process.ts';

const firstDomains = 8;
const atOnce = 32;
/** Of each domain at once. */
const questionsAtOnce = 6;
const clock = { now: () => Date.now() };

export async function benchCollections({ directory, sized }: BenchContext): Promise<readonly Result[]> {
  const count = sized({ tiny: 20, small: 200, full: 1000 });
  const options = {
    seed: 7,
    domains: count + firstDomains,
    startMs: Date.now(),
    speed: 0,
    eventsPerHour: 0,
    hostile: false,
  };
  const world = await startWorldProcess({ ...options, directory: join(directory, 'world') });
  try {
    // The same world, to know what is in it.
    const { view } = new Story(options, new WorldClock({ ...options, machineNow: clock.now }));
    const domains = [...view.domains()].slice(0, count + firstDomains);
    const settings = hurriedSettings(world.settings, atOnce);
    const roundTrips = sized({ tiny: 1000, small: 10_000, full: 30_000 });
    return [
      ...(await benchDns(join(directory, 'dns'), domains, { settings, roundTrips })),
      ...(await benchAll(join(directory, 'all'), domains, settings)),
    ];
  } finally {
    await world.stop();
  }
}

async function benchDns(
  directory: string,
  domains: readonly WorldDomain[],
  { settings, roundTrips }: { readonly settings: Settings; readonly roundTrips: number },
): Promise<readonly Result[]> {
  const echoed = await echoesPerSecond(roundTrips);
  const collectors = [createDnsCollector(settings.collect)];
  const { used, pauseMs, count } = await collect(directory, domains, settings, collectors);
  const questions = domains.reduce((sum, domain) => sum + questionsAbout(domain), 0) / domains.length;
  const work = `DNS collections of ${count.toLocaleString('en')} domains, ${atOnce} at once`;
  return [
    resultOf({
      work,
      ours: { value: (count * questions) / used.seconds, unit: 'answers/s' },
      peer: { name: 'UDP echo', value: echoed, unit: 'answers/s' },
      cpuSeconds: used.cpuSeconds,
      memoryBytes: used.memoryBytes,
    }),
    pauseResult(work, pauseMs, used),
  ];
}

async function benchAll(
  directory: string,
  domains: readonly WorldDomain[],
  settings: Settings,
): Promise<readonly Result[]> {
  const collectors = allCollectors(settings, clock, fail);
  const fetched = await pagesPerSecond(domains, settings.collect.httpPort);
  const { used, pauseMs, count, counts } = await collect(directory, domains, settings, collectors);
  for (const [name, { found }] of counts.probes)
    if (found === 0) throw new Error(`the collector ${name} found nothing`);
  const work = `full collections of ${count.toLocaleString('en')} domains, ${atOnce} at once`;
  return [
    resultOf({
      work,
      ours: { value: count / used.seconds, unit: 'domains/s' },
      peer: { name: 'HTTP GET of the same sites', value: fetched, unit: 'domains/s' },
      wanted: { ours: { atLeast: 100 } },
      cpuSeconds: used.cpuSeconds,
      memoryBytes: used.memoryBytes,
    }),
    pauseResult(work, pauseMs, used),
  ];
}

/** As the collector asks them. */
function questionsAbout({ nameServers, mailServers }: WorldDomain): number {
  return questionsAtOnce + 2 * (nameServers.length + mailServers.length);
}

function fail(error: unknown): never {
  throw error;
}

interface Collected {
  readonly count: number;
  readonly used: Used<number>;
  readonly pauseMs: number;
  readonly counts: CollectorsCounts;
}

async function collect(
  directory: string,
  domains: readonly WorldDomain[],
  settings: Settings,
  collectors: readonly Collector[],
): Promise<Collected> {
  const stores = openEmbeddedStores({ data: directory, clock });
  const collecting = startCollectors({
    ...stores,
    collectors,
    clock,
    settings: settings.collect,
    onFailure: fail,
  });
  let begun = 0;
  const probeAll = async (some: readonly WorldDomain[]) => {
    const dueMs = clock.now();
    begun += some.length;
    await stores.jobs.enqueue(some.map(({ name }) => ({ kind: 'collect', subject: name, dueMs })));
    while (settledIn(collecting.statistics()) < begun) await pause(5);
  };
  try {
    // Threads are started and tables are read with the first domains.
    await probeAll(domains.slice(0, firstDomains));
    const rest = domains.slice(firstDomains);
    const used = await ownUsage(() => longestPauseMs(() => probeAll(rest)));
    return { count: rest.length, used, pauseMs: used.value, counts: collecting.statistics() };
  } finally {
    await collecting.close();
    await stores.close();
  }
}

function settledIn({ jobs: { done, retried, failed } }: CollectorsCounts): number {
  return done + retried + failed;
}

/** Sockets as resolvers have them, one for each domain, and as many datagrams under way. */
async function echoesPerSecond(roundTrips: number): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../peers/udp-echo.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const port = Number(await firstLineOf(child));
    const began = performance.now();
    const perSocket = Math.floor(roundTrips / atOnce);
    await Promise.all(Array.from({ length: atOnce }, () => echo(port, perSocket)));
    return (atOnce * perSocket) / ((performance.now() - began) / 1000);
  } finally {
    await stopProcess(child);
  }
}

function echo(port: number, datagrams: number): Promise<void> {
  const question = Buffer.alloc(45, 1);
  const socket = createSocket('udp4');
  return new Promise((resolve, reject) => {
    let [sent, back] = [0, 0];
    const send = () => {
      if (sent >= datagrams) return;
      sent += 1;
      socket.send(question, port, '127.0.0.1');
    };
    socket.on('error', reject);
    socket.on('message', () => {
      back += 1;
      if (back === datagrams) socket.close(() => resolve());
      else send();
    });
    for (let index = 0; index < questionsAtOnce; index += 1) send();
  });
}

async function pagesPerSecond(domains: readonly WorldDomain[], port: number): Promise<number> {
  const sites = domains.filter(({ site, addresses }) => site && addresses.length > 0);
  const left = [...sites];
  const began = performance.now();
  const fetchLeft = async () => {
    for (let domain = left.pop(); domain; domain = left.pop()) await fetchPage(domain, port);
  };
  await Promise.all(Array.from({ length: atOnce }, fetchLeft));
  return sites.length / ((performance.now() - began) / 1000);
}

function fetchPage({ name, addresses }: WorldDomain, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: addresses[0], port, path: '/', headers: { host: name }, agent: false }, (answer) => {
      answer.resume().once('end', resolve).once('error', reject);
    }).once('error', reject);
  });
}

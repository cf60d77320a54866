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
import { longestPauseMs } from '../longest-pause.ts';
import { allCollectors, hurriedSettings } from './all-collectors.ts';
import { firstLineOf, startWorldProcess, stopProcess } from './world-process.ts';

const count = Number(process.env['BENCH_DOMAINS'] ?? 1000);
const firstDomains = 8;
const atOnce = 32;
/** Of each domain at once. */
const questionsAtOnce = 6;
const roundTrips = 30_000;
const clock = { now: () => Date.now() };

export async function benchCollections(directory: string): Promise<void> {
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
    console.log(`\n${count.toLocaleString('en')} domains of the world, ${atOnce} at once`);
    await benchDns(join(directory, 'dns'), domains, settings);
    await benchAll(join(directory, 'all'), domains, settings);
  } finally {
    await world.stop();
  }
}

async function benchDns(
  directory: string,
  domains: readonly WorldDomain[],
  settings: Settings,
): Promise<void> {
  const echoed = await echoesPerSecond();
  const { perSecond, pauseMs } = await collect(directory, domains, settings, [
    createDnsCollector(settings.collect),
  ]);
  const questions = domains.reduce((sum, domain) => sum + questionsAbout(domain), 0) / domains.length;
  console.log(
    `DNS alone: ${perSecond.toFixed(0)} collections/s, ${(perSecond * questions).toFixed(0)} answers/s; ` +
      `bare UDP echo ${echoed.toFixed(0)}/s: an answer is ${((perSecond * questions) / echoed).toFixed(2)} of one; ` +
      `longest pause of the event loop ${pauseMs.toFixed(0)} ms`,
  );
}

async function benchAll(
  directory: string,
  domains: readonly WorldDomain[],
  settings: Settings,
): Promise<void> {
  const collectors = allCollectors(settings, clock, fail);
  const fetched = await pagesPerSecond(domains, settings.collect.httpPort);
  const { perSecond, pauseMs, counts } = await collect(directory, domains, settings, collectors);
  console.log(
    `all six: ${perSecond.toFixed(1)} collections/s; bare HTTP GET ${fetched.toFixed(0)}/s: ` +
      `a collection costs as much as ${(fetched / perSecond).toFixed(1)} of them; ` +
      `longest pause of the event loop ${pauseMs.toFixed(0)} ms`,
  );
  const probes = [...counts.probes].map(([name, { found, failed, timedOut }]) => {
    return `${name} ${found} of ${found + failed + timedOut}`;
  });
  console.log(`  found: ${probes.join(', ')}; ${counts.records.added} records`);
}

/** As the collector asks them. */
function questionsAbout({ nameServers, mailServers }: WorldDomain): number {
  return questionsAtOnce + 2 * (nameServers.length + mailServers.length);
}

function fail(error: unknown): never {
  throw error;
}

async function collect(
  directory: string,
  domains: readonly WorldDomain[],
  settings: Settings,
  collectors: readonly Collector[],
): Promise<{ readonly perSecond: number; readonly pauseMs: number; readonly counts: CollectorsCounts }> {
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
    const began = performance.now();
    const pauseMs = await longestPauseMs(() => probeAll(rest));
    const perSecond = rest.length / ((performance.now() - began) / 1000);
    return { perSecond, pauseMs, counts: collecting.statistics() };
  } finally {
    await collecting.close();
    await stores.close();
  }
}

function settledIn({ jobs: { done, retried, failed } }: CollectorsCounts): number {
  return done + retried + failed;
}

/** Sockets as resolvers have them, one for each domain, and as many datagrams under way. */
async function echoesPerSecond(): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'udp-echo.ts')], {
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

/** Brings up the whole world: its clock, its story, and the servers that answer from it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WorldClock } from './clock.ts';
import { startDns } from './servers/dns/start-dns.ts';
import { WorldNames, type WorldNamesNeeds } from './servers/dns/world-names.ts';
import { startResolver } from './servers/resolver/start-resolver.ts';
import { startPublicServers } from './servers/start-public-servers.ts';
import { serviceAddress, type WorldServer, worldPrefix } from './servers/world-server.ts';
import { startZoneFiles } from './servers/zone-files.ts';
import { brands } from './story/brands.ts';
import { crewDomains } from './story/crews.ts';
import { addressRangeLine } from './story/networks.ts';
import { Story } from './story/story.ts';
import type { World, WorldOptions } from './world.ts';

export async function startWorld(options: WorldOptions, machineNow: () => number): Promise<World> {
  const clock = new WorldClock({ startMs: options.startMs, speed: options.speed, machineNow });
  const servers: WorldServer[] = [];
  const close = async () => {
    clock.close();
    await Promise.all(servers.toReversed().map((server) => server.close()));
  };
  try {
    const world = await assemble(options, clock, servers, close);
    clock.start();
    return world;
  } catch (error) {
    await close();
    throw error;
  }
}

async function assemble(
  options: WorldOptions,
  clock: WorldClock,
  servers: WorldServer[],
  close: () => Promise<void>,
): Promise<World> {
  const { directory } = options;
  await mkdir(directory, { recursive: true });
  const story = new Story(options, clock);
  const { view, errands } = story;
  const publicServers = await startPublicServers({ view, directory });
  servers.push(publicServers);
  const hosts = hostsOf(story, publicServers);
  const names = new WorldNames({ view, hosts, findHostileAnswer: (name) => story.findHostileAnswer(name) });
  servers.push(await startDns(names));
  const zoneFiles = await startZoneFiles({ view, directory, clock, hosts });
  servers.push(zoneFiles);
  if (options.dnstapSocket !== undefined) {
    const { seed, dnstapSocket: socketPath } = options;
    servers.push(await startResolver({ view, clock, names, popular: story.popular, seed, socketPath }));
  }
  const ownSettings = await writeFacts(story, directory);
  return {
    settings: Object.assign({}, ownSettings, ...servers.map(({ settings }) => settings)) as World['settings'],
    brands: brands.map(({ word }) => word),
    crews: crewDomains,
    ownDomains: [...story.view.domains()].filter(({ actor }) => actor === 'brand').map(({ name }) => name),
    now: () => clock.now(),
    advance: async (ms) => {
      await clock.advance(ms);
      await zoneFiles.settled();
    },
    find: (name) => view.find(name),
    domains: () => view.domains(),
    registerLookalike: async (brand, crew) => errands.registerLookalike(brand, crew),
    moveHosting: async (name) => errands.moveHosting(name),
    report: async (name) => errands.report(name),
    takeDown: async (name) => errands.takeDown(name),
    follow: (onEvent) => view.follow(onEvent),
    statistics: () =>
      Object.assign({}, ...servers.map((server) => server.requests())) as Record<string, number>,
    close,
  };
}

/** Registrar servers are reachable without a referral. */
function hostsOf({ hosts, view }: Story, publicServers: WorldServer): WorldNamesNeeds['hosts'] {
  const all = new Map<string, { four: string; six?: string | undefined }>(hosts);
  for (const { whoisHost, rdapHost } of view.registrars) {
    all.set(whoisHost, { four: serviceAddress }).set(rdapHost, { four: serviceAddress });
  }
  for (const [name, four] of Object.entries(publicServers.hosts)) all.set(name, { four });
  return all;
}

/** The world is small and nearly every domain has a rank, so only the best ranks count as popular. */
const popularRankMax = 50;

/** What the world publishes besides: who has which addresses, and what is popular. */
async function writeFacts({ view, popular }: Story, directory: string): Promise<World['settings']> {
  const [ranges, ranks] = [join(directory, 'address-ranges.csv'), join(directory, 'popularity.csv')];
  await writeFile(ranges, view.networks.map(addressRangeLine).join(''));
  await writeFile(ranks, popular.map((name, index) => `${index + 1},${name}\n`).join(''));
  return {
    'collect.allow': worldPrefix,
    'collect.addressFiles': ranges,
    'collect.popularityFile': ranks,
    'risk.popularRankMax': String(popularRankMax),
  };
}

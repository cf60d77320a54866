/** The DNS server of a small story, and a resolver that uses it. */
import { Resolver } from 'node:dns/promises';
import type { TestContext } from 'node:test';
import { WorldClock } from '../../../world/clock.ts';
import { startDns } from '../../../world/servers/dns/start-dns.ts';
import { WorldNames } from '../../../world/servers/dns/world-names.ts';
import { serviceAddress } from '../../../world/servers/world-server.ts';
import { Story } from '../../../world/story/story.ts';
import type { WorldDomain } from '../../../world/world-domain.ts';

const startMs = Date.parse('2026-03-01T00:00:00Z');
const clock = new WorldClock({ startMs, speed: 0, machineNow: () => 0 });
export const story = new Story({ seed: 3, domains: 400, startMs, eventsPerHour: 0, hostile: true }, clock);
export const { view } = story;
export const service = 'log.service.test';

export function newNames(): WorldNames {
  const hosts = new Map<string, { four: string; six?: string | undefined }>(story.hosts);
  hosts.set(service, { four: serviceAddress });
  return new WorldNames({ view, hosts, findHostileAnswer: (name) => story.findHostileAnswer(name) });
}

export async function serving(t: TestContext) {
  const server = await startDns(newNames());
  t.after(() => server.close());
  const at = server.settings['collect.resolvers'] as string;
  const resolver = new Resolver({ timeout: 3000, tries: 2 });
  resolver.setServers([at]);
  return { server, resolver, port: Number(at.split(':')[1]) };
}

const findOwned = (isWanted: (domain: WorldDomain) => boolean) =>
  [...view.domains()].find((domain) => domain.actor === 'owner' && isWanted(domain)) as WorldDomain;
export const used = findOwned(({ mailServers, site }) => mailServers.length === 2 && site !== undefined);

/**
 * Resolves a host by DNS queries of its own. Not with `getaddrinfo`, which occupies a thread of libuv's small pool for as long as a
 * name server delays; hence `/etc/hosts` and search domains have no effect.
 */
import { Resolver } from 'node:dns/promises';
import { type AnsweredAddress, RecentAnswers } from './recent-answers.ts';

export type ResolveHost = (host: string) => Promise<readonly string[]>;

const timeoutMs = 2500;
const tries = 2;
/** Making one reads files of the system. */
const resolverMs = 60_000;
const loopback = ['127.0.0.1', '::1'];

/**
 * Queries the given servers (`192.0.2.53`, `127.0.0.1:5300`), or those of the system. Throws where there is no address. One visit of a domain resolves
 * its name several times, and those of registries return with every domain, so an answer counts for as long as its records live, at most a
 * few seconds.
 */
export function hostResolver(servers: readonly string[] = []): ResolveHost {
  const recent = new RecentAnswers();
  const underWay = new Map<string, Promise<readonly string[]>>();
  let made: { readonly resolver: Resolver; readonly untilMs: number } | undefined;

  /** The servers of the system may be others after a while. */
  const resolver = () => {
    const nowMs = performance.now();
    if (!made || nowMs > made.untilMs)
      made = { resolver: makeResolver(servers), untilMs: nowMs + resolverMs };
    return made.resolver;
  };

  const query = async (host: string): Promise<readonly string[]> => {
    try {
      return recent.add(host, await queryHost(host, resolver()));
    } finally {
      underWay.delete(host);
    }
  };

  return async (host) => {
    // RFC 6761: these names are never sent to a DNS server.
    if (host === 'localhost' || host.endsWith('.localhost')) return loopback;
    const known = recent.find(host);
    if (known) return known;
    const answer = underWay.get(host) ?? query(host);
    underWay.set(host, answer);
    return answer;
  };
}

function makeResolver(servers: readonly string[]): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers.length > 0) resolver.setServers([...servers]);
  return resolver;
}

async function queryHost(host: string, resolver: Resolver): Promise<readonly AnsweredAddress[]> {
  const [four, six] = await Promise.allSettled([
    resolver.resolve4(host, { ttl: true }),
    resolver.resolve6(host, { ttl: true }),
  ]);
  const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length === 0 && four.status === 'rejected') throw four.reason;
  return found;
}

export const resolveHost: ResolveHost = hostResolver();

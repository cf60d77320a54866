/**
 * Addresses of a host by DNS. Not through the system's own resolver: that one takes a thread of the few that files are read with,
 * for as long as a name server likes. So `/etc/hosts` and search domains count for nothing here.
 */
import { Resolver } from 'node:dns/promises';

export type ResolveHost = (host: string) => Promise<readonly string[]>;

const timeoutMs = 2500;
const tries = 2;
const loopback = ['127.0.0.1', '::1'];

/** Asks these servers (`192.0.2.53`, `127.0.0.1:5300`), or those of the system where none is given. Throws where no address is found. */
export function hostResolver(servers: readonly string[] = []): ResolveHost {
  return async (host) => {
    // By RFC 6761 these names never leave the machine.
    if (host === 'localhost' || host.endsWith('.localhost')) return loopback;
    const resolver = new Resolver({ timeout: timeoutMs, tries });
    if (servers.length > 0) resolver.setServers([...servers]);
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}

export const resolveHost: ResolveHost = hostResolver();

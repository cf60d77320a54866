/**
 * Addresses of a host by DNS. Not through the system's own resolver: that one takes a thread of the few that files are read with,
 * for as long as a name server likes. So `/etc/hosts` and search domains count for nothing here.
 */
import { Resolver } from 'node:dns/promises';

export type ResolveHost = (host: string) => Promise<readonly string[]>;

const timeoutMs = 2500;
const tries = 2;
const loopback = ['127.0.0.1', '::1'];

/** Throws where no address is found. */
export const resolveHost: ResolveHost = async (host) => {
  // By RFC 6761 these names never leave the machine.
  if (host === 'localhost' || host.endsWith('.localhost')) return loopback;
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length === 0 && four.status === 'rejected') throw four.reason;
  return found;
};

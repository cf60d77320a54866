import type { FastifyRequest } from 'fastify';
import type { Settings } from '../../model/settings/settings.ts';

/**
 * Whether `request.ip` is the client's address. Behind an untrusted proxy every client has the proxy's address; such a proxy is recognized by the
 * headers it adds.
 */
export function isDirect({ headers }: FastifyRequest, { trustProxy }: Settings['http']): boolean {
  const isForwarded = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some((name) => name in headers);
  return !isForwarded || trustProxy.length > 0;
}

/**
 * What every request to the web UI's own API must show before its cookie counts. A page of another site can make a browser send requests
 * with our cookie (CSRF), or with a name of its own for our address (DNS rebinding); it can neither choose the fetch metadata nor add a
 * header without our consent.
 */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { hostCheck } from '../front/host-check.ts';

export type FindFault = (request: FastifyRequest) => Problem | undefined;

export function hostFault({ http }: Pick<Settings, 'http'>): FindFault {
  const isOwnHost = hostCheck(http);
  return ({ headers }) => {
    if (isOwnHost(headers.host ?? '')) return undefined;
    const advice = 'Set http.publicUrl to the address that people use, or use an IP address.';
    return new Problem(
      'address-not-allowed',
      `The Host header has a name that this server does not know. ${advice}`,
    );
  };
}

/** `ownUrl`: scheme, host and port under which browsers reach the server. */
export function originFault(ownUrl: () => string): FindFault {
  // Browsers send fetch metadata over https and to loopback alone. The Host header has been checked, so its name is ours.
  const isOwnOrigin = (origin: string | undefined, host: string | undefined) =>
    origin === ownUrl() || (origin !== undefined && origin === `http://${host}`);
  return ({ method, headers }) => {
    const site = headers['sec-fetch-site'];
    const isRead = method === 'GET' || method === 'HEAD';
    // A read that a person typed into the address bar has the site "none".
    if (site !== undefined && site !== 'same-origin' && !(isRead && site === 'none')) return foreign();
    if (isRead) return undefined;
    if (site === undefined && !isOwnOrigin(headers.origin, headers.host)) return foreign();
    if (headers['x-requested-with'] === 'nameglass') return undefined;
    return new Problem('address-not-allowed', 'A write needs the header X-Requested-With: nameglass.');
  };
}

function foreign(): Problem {
  return new Problem(
    'address-not-allowed',
    'This request comes from another site. Use the web UI of this server.',
  );
}

/**
 * Whether a Host header names this server. A page of another site whose name resolves to a loopback address (DNS rebinding) makes the
 * operator's browser send requests from an operator's address, but with the name of that site.
 */
import { isIP } from 'node:net';
import type { Settings } from '../../model/settings/settings.ts';

/** Accepts addresses, names of one label, which no other site can have, `localhost`, and the configured names. */
export function hostCheck(http: Settings['http']): (header: string) => boolean {
  const publicHost = URL.parse(http.publicUrl)?.hostname ?? '';
  const configured = new Set([http.host, publicHost, ...http.operatorHosts].map(normalised));
  return (header) => {
    const name = normalised(withoutPort(header));
    if (name === '') return false;
    return !name.includes('.') || name.endsWith('.localhost') || isIP(name) !== 0 || configured.has(name);
  };
}

/** IPv6 addresses are in brackets; anything else that has colons before the port is no host name. */
function withoutPort(header: string): string {
  const [, address, name] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d{1,5})?$/.exec(header) ?? [];
  if (address !== undefined) return isIP(address) === 6 ? address : '';
  return name ?? '';
}

function normalised(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

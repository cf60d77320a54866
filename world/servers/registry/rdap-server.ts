/** RDAP over HTTP (RFC 7480): registries and registrars by host, and the list of who serves which top-level domain (RFC 9224). */
import type { WorldView } from '../../world-domain.ts';
import { inJson, inText, type Reply, type Visit } from '../web/reply.ts';
import type { RequestLimit } from './rate-limit.ts';
import { conformance, domainObject, errorObject, notices, type RdapView } from './rdap-objects.ts';
import { findRegistry, type Registry } from './registries.ts';

export const bootstrapHost = 'data.iana.test';
export const bootstrapPath = '/rdap/dns.json';

const rdapType = 'application/rdap+json';

export interface RdapNeeds {
  readonly view: WorldView;
  readonly registries: readonly Registry[];
  readonly requestLimit: RequestLimit;
}

export type RdapServer = (visit: Visit) => Reply;

/** The hosts that it answers for. */
export function rdapHosts({ view, registries }: Pick<RdapNeeds, 'view' | 'registries'>): readonly string[] {
  return [
    ...new Set([
      bootstrapHost,
      ...registries.map(({ rdapHost }) => rdapHost),
      ...view.registrars.map(({ rdapHost }) => rdapHost),
    ]),
  ];
}

export function rdapServer({ view, registries, requestLimit }: RdapNeeds): RdapServer {
  return ({ host, url, request }) => {
    if (host === bootstrapHost)
      return url.pathname === bootstrapPath
        ? inJson(200, bootstrap(registries, view.now()))
        : inText(404, 'not found');
    const pause = requestLimit.findWaitSeconds(host, request.socket.remoteAddress ?? '');
    if (pause !== undefined) return tooMany(pause);
    if (url.pathname === '/help') return help(host);
    const [, kind = '', asked = ''] = /^\/([a-z]+)\/([^/]+)$/.exec(url.pathname) ?? [];
    const name = findName(asked);
    if (kind !== 'domain') return failure(404, 'Not Found', 'This server answers for domains alone.');
    if (name === undefined) return failure(400, 'Bad Request', 'That is no name of a domain.');
    const registry = registries.find(({ rdapHost }) => rdapHost === host);
    return registry ? fromRegistry(registry, name) : fromRegistrar(host, name);
  };

  function fromRegistry(registry: Registry, name: string): Reply {
    const domain = view.find(name);
    if (!domain || findRegistry(registries, name) !== registry) return absent(name);
    const { rdapHost, whoisHost, style } = registry;
    return found(domain, {
      baseUrl: `https://${rdapHost}/`,
      whoisHost,
      isThin: style === 'thin',
      relatedUrl: `https://${domain.registrar.rdapHost}/`,
      nowMs: view.now(),
    });
  }

  function fromRegistrar(host: string, name: string): Reply {
    const domain = view.find(name);
    if (domain?.registrar.rdapHost !== host) return absent(name);
    return found(domain, {
      baseUrl: `https://${host}/`,
      whoisHost: domain.registrar.whoisHost,
      isThin: false,
      relatedUrl: undefined,
      nowMs: view.now(),
    });
  }
}

function bootstrap(registries: readonly Registry[], nowMs: number): unknown {
  return {
    version: '1.0',
    publication: new Date(nowMs).toISOString(),
    description: 'RDAP bootstrap file for Domain Name System registrations',
    services: registries.map(({ topLevelDomain, rdapHost }) => [[topLevelDomain], [`https://${rdapHost}/`]]),
  };
}

function help(host: string): Reply {
  return inJson(200, { rdapConformance: conformance, notices: notices(`https://${host}/`) }, rdapType);
}

function found(domain: Parameters<typeof domainObject>[0], view: RdapView): Reply {
  return inJson(200, domainObject(domain, view), rdapType);
}

function absent(name: string): Reply {
  return failure(404, 'Object Not Found', `There is no domain ${name} here.`);
}

function tooMany(pauseSeconds: number): Reply {
  const reply = failure(429, 'Too Many Requests', `Come again in ${pauseSeconds} seconds.`);
  return { ...reply, headers: { 'retry-after': String(pauseSeconds) } };
}

function failure(status: number, title: string, description: string): Reply {
  return inJson(status, errorObject(status, title, description), rdapType);
}

function findName(asked: string): string | undefined {
  try {
    const name = decodeURIComponent(asked).toLowerCase().replace(/\.$/, '');
    return /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

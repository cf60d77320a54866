/** Probes RDAP: the registry's answer, and that of the registrar it links to. */
import type { HostThrottle } from '../../../concurrency/host-throttle.ts';
import type { Clock } from '../../../model/clock.ts';
import { Problem } from '../../../model/problem.ts';
import type { ParsedRdap } from '../../../model/record/domain-record.ts';
import { type RdapAnswer, rdapFeedRecord } from '../../../model/registration/rdap/rdap-feed-record.ts';
import { rdapRegistration } from '../../../model/registration/rdap/rdap-registration.ts';
import type { RdapDomain } from '../../../model/registration/rdap/read-rdap-domain.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { Dialer } from '../../../outgoing/guarded-dialer.ts';
import type { Collector, ProbeRequest, ProbeResult } from '../collector.ts';
import { RdapBootstrap } from './bootstrap.ts';
import { fetchRdap } from './fetch-rdap.ts';

export interface RdapCollectorNeeds {
  readonly dialer: Pick<Dialer, 'send'>;
  readonly throttle: Pick<HostThrottle, 'run'>;
  readonly settings: {
    readonly collect: Pick<Settings['collect'], 'rdapBootstrapUrl' | 'bodyBytesMax' | 'userAgent'>;
  };
  readonly clock: Clock;
}

/** Many times the size of an answer, and parsed within milliseconds. */
const responseBytesMax = 262_144;
const contacts = [
  'registrant_contact',
  'admin_contact',
  'billing_contact',
  'technical_contact',
  'registrant_name',
] as const;

export function createRdapCollector({ dialer, throttle, settings, clock }: RdapCollectorNeeds): Collector {
  const { rdapBootstrapUrl, bodyBytesMax, userAgent } = settings.collect;
  const bootstrap = new RdapBootstrap({ dialer, clock, url: rdapBootstrapUrl, userAgent });
  const bytesMax = Math.min(bodyBytesMax, responseBytesMax);

  const query = (url: string, { domain, signal, keepRaw }: ProbeRequest) =>
    fetchRdap({ dialer, throttle }, { url, domain, bytesMax, userAgent, signal, keepRaw });

  const probe = async (request: ProbeRequest): Promise<ProbeResult> => {
    if (rdapBootstrapUrl === '') return failed('no RDAP bootstrap URL is configured', false);
    let server: string | undefined;
    try {
      server = await bootstrap.findServer(request.domain, request.signal);
    } catch (error) {
      request.signal.throwIfAborted();
      if (!(error instanceof Problem)) throw error;
      return failed(error.message, true);
    }
    if (server === undefined) return { outcome: 'found', part: {} };
    const url = `${server}domain/${request.domain}`;
    const registry = await query(url, request);
    if (registry.outcome === 'failed') return registry;
    if (registry.outcome === 'unknown') return { outcome: 'found', part: {} };
    const answers: [RdapAnswer, ...RdapAnswer[]] = [{ ...registry, source: 'registry', atMs: clock.now() }];
    const next = registrarUrl(registry.domain, [url, registry.url]);
    const registrar = next === undefined ? undefined : await query(next, request);
    if (registrar?.outcome === 'domain')
      answers.push({ ...registrar, source: 'registrar', atMs: clock.now() });
    const parsed = rdapRegistration(answers.map(({ domain }) => domain));
    const complete = registrar?.outcome === 'failed' ? withStoredContacts(parsed, request) : parsed;
    return {
      outcome: 'found',
      part: { parsed_domain_rdap: { ...complete, fetched: new Date(clock.now()).toISOString() } },
      lines: [{ feed: 'domainrdap', record: { ...rdapFeedRecord(request.domain, answers) } }],
    };
  };

  return { name: 'rdap', members: ['parsed_domain_rdap'], probe };
}

function failed(reason: string, isTransient: boolean): ProbeResult {
  return { outcome: 'failed', reason, isTransient };
}

/** The registrar's URL that the registry links to, unless it was fetched already. */
function registrarUrl({ links }: RdapDomain, fetched: readonly string[]): string | undefined {
  const seen = new Set(fetched.map(plainUrl));
  const related = links.filter(
    ({ rel, type }) => rel.toLowerCase() === 'related' && type.startsWith('application/rdap+json'),
  );
  return related
    .map(({ href }) => href)
    .find((href) => plainUrl(href) !== undefined && !seen.has(plainUrl(href)));
}

function plainUrl(text: string): string | undefined {
  const url = URL.parse(text);
  return url === null
    ? undefined
    : `${url.host}${url.pathname}${url.search}`.toLowerCase().replace(/\/$/, '');
}

/** Contacts from an earlier registrar answer stay while that registrar does not answer. */
function withStoredContacts(parsed: ParsedRdap, { known }: ProbeRequest): ParsedRdap {
  const before = known.parsed_domain_rdap ?? {};
  const kept = contacts.filter((member) => parsed[member] === undefined && before[member] !== undefined);
  return { ...parsed, ...Object.fromEntries(kept.map((member) => [member, before[member]])) };
}

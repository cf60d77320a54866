/** What RDAP tells of a domain: the registry's answer, and that of the registrar whom it links to. */
import type { Clock } from '../../../model/clock.ts';
import { Problem } from '../../../model/problem.ts';
import type { ParsedRdap } from '../../../model/record/domain-record.ts';
import { type RdapAnswer, rdapFeedRecord } from '../../../model/registration/rdap/rdap-feed-record.ts';
import { rdapRegistration } from '../../../model/registration/rdap/rdap-registration.ts';
import type { RdapDomain } from '../../../model/registration/rdap/read-rdap-domain.ts';
import type { Settings } from '../../../model/settings.ts';
import type { Dialer } from '../../../outgoing/guarded-dialer.ts';
import type { Collector, Look, LookOutcome, Politeness } from '../collector.ts';
import { askRdap } from './ask-rdap.ts';
import { RdapBootstrap } from './bootstrap.ts';

export interface RdapCollectorNeeds {
  readonly dialer: Pick<Dialer, 'send'>;
  readonly politeness: Politeness;
  readonly settings: {
    readonly collect: Pick<Settings['collect'], 'rdapBootstrapUrl' | 'bodyBytesMax' | 'userAgent'>;
  };
  readonly clock: Clock;
}

/** What anybody has to say of a domain fits many times over, and is read in a few milliseconds. */
const answerBytesMax = 262_144;
const contacts = [
  'registrant_contact',
  'admin_contact',
  'billing_contact',
  'technical_contact',
  'registrant_name',
] as const;

export function createRdapCollector({ dialer, politeness, settings, clock }: RdapCollectorNeeds): Collector {
  const { rdapBootstrapUrl, bodyBytesMax, userAgent } = settings.collect;
  const bootstrap = new RdapBootstrap({ dialer, clock, url: rdapBootstrapUrl, userAgent });
  const bytesMax = Math.min(bodyBytesMax, answerBytesMax);

  const ask = (url: string, { domain, signal }: Look) =>
    askRdap({ dialer, politeness }, { url, domain, bytesMax, userAgent, signal });

  const lookAt = async (look: Look): Promise<LookOutcome> => {
    if (rdapBootstrapUrl === '') return failed('no list of RDAP servers is configured', false);
    let server: string | undefined;
    try {
      server = await bootstrap.serverOf(look.domain, look.signal);
    } catch (error) {
      look.signal.throwIfAborted();
      if (!(error instanceof Problem)) throw error;
      return failed(error.message, true);
    }
    if (server === undefined) return { outcome: 'found', part: {} };
    const url = `${server}domain/${look.domain}`;
    const registry = await ask(url, look);
    if (registry.outcome === 'failed') return registry;
    if (registry.outcome === 'unknown') return { outcome: 'found', part: {} };
    const answers: [RdapAnswer, ...RdapAnswer[]] = [{ ...registry, source: 'registry', atMs: clock.now() }];
    const next = registrarUrl(registry.domain, [url, registry.url]);
    const registrar = next === undefined ? undefined : await ask(next, look);
    if (registrar?.outcome === 'domain')
      answers.push({ ...registrar, source: 'registrar', atMs: clock.now() });
    const parsed = rdapRegistration(answers.map(({ domain }) => domain));
    const whole = registrar?.outcome === 'failed' ? withKept(parsed, look) : parsed;
    return {
      outcome: 'found',
      part: { parsed_domain_rdap: { ...whole, fetched: new Date(clock.now()).toISOString() } },
      lines: [{ feed: 'domainrdap', record: { ...rdapFeedRecord(look.domain, answers) } }],
    };
  };

  return { name: 'rdap', members: ['parsed_domain_rdap'], look: lookAt };
}

function failed(reason: string, isPassing: boolean): LookOutcome {
  return { outcome: 'failed', reason, isPassing };
}

/** Where the registry says that more is known, unless we come from there. */
function registrarUrl({ links }: RdapDomain, asked: readonly string[]): string | undefined {
  const seen = new Set(asked.map(plainUrl));
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

/** Contacts that the registrar told before: that it is silent today does not change whose domain it is. */
function withKept(parsed: ParsedRdap, { known }: Look): ParsedRdap {
  const before = known.parsed_domain_rdap ?? {};
  const kept = contacts.filter((member) => parsed[member] === undefined && before[member] !== undefined);
  return { ...parsed, ...Object.fromEntries(kept.map((member) => [member, before[member]])) };
}

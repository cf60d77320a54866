/** What each WHOIS server of the world says to a query: the root, the registries, the registrars. */
import type { WorldDomain, WorldView } from '../../world-domain.ts';
import { namedChoice } from '../stable-choice.ts';
import { findRegistry, type Registry, whoisRootHost } from './registries.ts';
import { inAsianStyle, noMatchInAsianStyle } from './whois-styles/asian.ts';
import { inEuropeanStyle, noMatchInEuropeanStyle } from './whois-styles/european.ts';
import { inIcannStyle, inLines, noMatchInIcannStyle } from './whois-styles/icann.ts';

export interface WhoisAnswer {
  readonly text: string;
  readonly encoding: 'utf8' | 'latin1';
  /** What stands here is only the beginning. */
  readonly isEndless?: boolean;
}

export type BadWhois = 'plain-whois' | 'endless-whois' | 'referral-loop';

export type WhoisAnswers = (host: string, query: string) => WhoisAnswer;

export const tooMany: WhoisAnswer = {
  text: inLines(['Number of allowed queries exceeded. Please wait a while and try again.']),
  encoding: 'utf8',
};

/** What the WHOIS servers do with the domain of a hostile owner, apart from passing on whatever stands in its fields. */
export function findBadWhois({ actor, name }: Pick<WorldDomain, 'actor' | 'name'>): BadWhois {
  if (actor !== 'hostile') return 'plain-whois';
  return namedChoice<BadWhois>(name, 'whois', ['plain-whois', 'endless-whois', 'referral-loop']);
}

export function whoisAnswers(view: WorldView, registries: readonly Registry[]): WhoisAnswers {
  const findDomain = (name: string): WorldDomain | undefined => view.find(name.replace(/^www\./, ''));
  return (host, query) => {
    const name = nameIn(query);
    if (host === whoisRootHost) return inUtf8(fromRoot(registries, name));
    const registry = registries.find(({ whoisHost }) => whoisHost === host);
    const domain = findDomain(name);
    if (registry) {
      const known = domain && findRegistry(registries, domain.name) === registry ? domain : undefined;
      return fromRegistry(registry, known, name, view.now());
    }
    const held = domain?.registrar.whoisHost === host ? domain : undefined;
    return fromRegistrar(held, findRegistry(registries, name), name, view.now());
  };
}

/** The last word: what comes before are options of one server or another. */
function nameIn(query: string): string {
  const last = query.trim().split(/\s+/).at(-1) ?? '';
  return last.toLowerCase().replace(/^=/, '').replace(/\/e$/, '').replace(/\.$/, '');
}

function fromRoot(registries: readonly Registry[], name: string): string {
  const registry = findRegistry(registries, name);
  if (!registry) return inLines(['% IANA WHOIS server', '% This query returned 0 objects.']);
  const { topLevelDomain, whoisHost } = registry;
  return inLines([
    '% IANA WHOIS server',
    '% for more information on IANA, visit http://www.iana.test',
    '% This query returned 1 object',
    '',
    `refer:        ${whoisHost}`,
    '',
    `domain:       ${topLevelDomain.toUpperCase()}`,
    '',
    `organisation: Registry of ${topLevelDomain.toUpperCase()}`,
    'address:      1 Root Lane',
    '',
    `nserver:      NS.NIC.${topLevelDomain.toUpperCase()}`,
    `whois:        ${whoisHost}`,
    '',
    'status:       ACTIVE',
    'source:       IANA',
  ]);
}

function fromRegistry(
  { style, whoisHost }: Registry,
  domain: WorldDomain | undefined,
  name: string,
  nowMs: number,
): WhoisAnswer {
  if (style === 'european') {
    const text = domain ? inEuropeanStyle(domain) : noMatchInEuropeanStyle(name);
    return { text, encoding: 'latin1', ...endlessIf(domain) };
  }
  if (style === 'asian')
    return { ...inUtf8(domain ? inAsianStyle(domain) : noMatchInAsianStyle()), ...endlessIf(domain) };
  if (!domain) return inUtf8(noMatchInIcannStyle(name, nowMs));
  const text = inIcannStyle(domain, nowMs, style, domain.registrar.whoisHost);
  return inUtf8(
    findBadWhois(domain) === 'referral-loop' ? `${text}ReferralServer: whois://${whoisHost}\r\n` : text,
  );
}

function fromRegistrar(
  domain: WorldDomain | undefined,
  registry: Registry | undefined,
  name: string,
  nowMs: number,
): WhoisAnswer {
  if (!domain) return inUtf8(noMatchInIcannStyle(name, nowMs));
  const isLoop = findBadWhois(domain) === 'referral-loop' && registry !== undefined;
  const referral = isLoop ? registry.whoisHost : domain.registrar.whoisHost;
  return { ...inUtf8(inIcannStyle(domain, nowMs, 'thick', referral)), ...endlessIf(domain) };
}

function endlessIf(domain: WorldDomain | undefined): { readonly isEndless?: true } {
  return domain && findBadWhois(domain) === 'endless-whois' ? { isEndless: true } : {};
}

function inUtf8(text: string): WhoisAnswer {
  return { text, encoding: 'utf8' };
}

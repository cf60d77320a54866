/** Domains that are bad on purpose: every way we know of to harm a client that probes them. */
import type { Person, Site, SiteKind, WorldDomain } from '../world-domain.ts';
import { hostileAnswers } from './hostile-answers.ts';
import { certified, dayMs, hosted, type Life, minuteMs } from './life.ts';
import { carelessNetworks, siteAddressesOf } from './networks.ts';
import { nameServerOperators } from './operators.ts';
import { newPerson } from './people.ts';
import type { Random } from './random.ts';
import { carelessRegistrars } from './registrars.ts';
import { registration } from './registration.ts';
import { baseOf } from './top-level-domains.ts';

const escape = '\u001b';
const script = '<script>alert(document.domain)</script>';

/** A word in the name chooses among the forms that a kind has. */
const badSites: Readonly<Record<string, SiteKind>> = {
  'script-title': 'script-title',
  'script-title-bidi': 'script-title',
  'script-title-escape': 'script-title',
  'script-title-long': 'script-title',
  'zip-bomb': 'zip-bomb',
  'zip-bomb-brotli': 'zip-bomb',
  'zip-bomb-nested': 'zip-bomb',
  'redirect-loop': 'redirect-loop',
  'redirect-loop-growing': 'redirect-loop',
  'redirect-loop-loopback': 'redirect-loop',
  'redirect-loop-metadata': 'redirect-loop',
  'endless-page': 'endless-page',
  'great-page': 'great-page',
  'slow-page': 'slow-page',
  'endless-whois': 'home',
  'referral-loop': 'home',
  'many-names': 'home',
  'no-common-name': 'home',
  'expired-name': 'home',
  'e-mail-name': 'home',
};

const badPersons: Readonly<Record<string, Partial<Person>>> = {
  'terminal-colours.brax': {
    name: `${escape}[2J${escape}[31mRoot${escape}[0m`,
    organization: `${escape}]0;owned\u0007 Ltd`,
  },
  'right-to-left.brax': { name: 'Ali\u202ecilA\u2066 \u200fSmith\u2069', city: '\u202dTown\u202c' },
  'script-owner.brax': {
    name: script,
    organization: '"><img src=x onerror=alert(1)>',
    email: 'a"b<c>@x.brax',
  },
  'line-breaks.brax': { name: 'Eve\r\nRegistrar: Nobody\r\nRefer: whois.nobody.brax', street: 'a\0b' },
  'long-winded.brax': { name: 'x'.repeat(20_000), organization: 'ﷺ'.repeat(3000) },
  'formula.brax': {
    name: '=HYPERLINK("http://x.brax";"click")',
    organization: '@SUM(1+1)*cmd|" /C calc"!A0',
  },
  'half-characters.brax': { name: 'broken \ud800 surrogate \udfff', city: 'tag \u{e0041}\u{e0042}' },
};

/** Of a certificate: what real ones have had in them. */
const oddHosts = ['*', 'under_score', '-hyphen-', 'x'.repeat(63), 'xn--zz--bad', '<b>bold', "o'clock"];
const oddDomain = 'odd-certificate.brax';

export function hostileLives(random: Random, startMs: number): readonly Life[] {
  const registered = () => startMs - random.between(2, 400) * dayMs;
  const answered = [...hostileAnswers.keys()].filter((name) => baseOf(name) === name);
  return [
    ...Object.entries(badSites).map(([name, kind]) =>
      life(random, registered(), `${name}.brax`, siteOf(kind)),
    ),
    ...Object.entries(badPersons).map(([name, person]) => {
      const lived = life(random, registered(), name, siteOf('home'));
      const registrant = { ...newPerson(random), ...person };
      return { ...lived, domain: { ...lived.domain, registrant } };
    }),
    ...answered.map((name) => life(random, registered(), name, siteOf('home'))),
    oddlyCertified(life(random, registered(), oddDomain, siteOf('home'))),
    badlyNamed(life(random, registered(), 'odd-hosts.brax', siteOf('home'))),
  ];
}

function life(random: Random, registeredMs: number, name: string, site: Site): Life {
  const domain = registration({
    name,
    actor: 'hostile',
    registeredMs,
    registrar: random.pick(carelessRegistrars),
    registrant: newPerson(random),
    nameServers: nameServerOperators[0]?.hosts.map((host) => host.name) ?? [],
    soaEmail: `root@${name}`,
    statuses: ['ok'],
  });
  const addresses = [random.pick(siteAddressesOf(random.pick(carelessNetworks)))];
  return { domain, steps: [hosted(minuteMs, { addresses, site }), certified(2 * minuteMs, ['www'])] };
}

function siteOf(kind: SiteKind): Site {
  return {
    kind,
    title: kind === 'script-title' ? `${script}\u202e${escape}[31m evil` : `A ${kind} for you`,
    server: kind === 'script-title' ? `nginx ${script}` : 'nginx',
    redirectTo: undefined,
    trackers: {},
    brand: undefined,
  };
}

function oddlyCertified({ domain, steps }: Life): Life {
  return { domain, steps: [...steps.slice(0, 1), certified(2 * minuteMs, oddHosts)] };
}

/** Mail and name servers that point back at the client. */
function badlyNamed({ domain, steps }: Life): Life {
  const bad: Partial<WorldDomain> = {
    nameServers: ['localhost', `ns.${domain.name}`],
    mailServers: [
      { host: 'localhost', priority: 0 },
      { host: domain.name, priority: 65_535 },
    ],
    spf: `v=spf1 ${escape}[31m ${script} ${'include:x.brax '.repeat(40)}-all`,
    soaEmail: `first.last+${script}@${domain.name}`,
  };
  return { domain: { ...domain, ...bad }, steps };
}

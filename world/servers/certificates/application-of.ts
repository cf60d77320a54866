/** What the certificate of a domain says; for hostile owners, content that tries to break its readers. */
import type { WorldDomain } from '../../world-domain.ts';
import { namedChoice } from '../stable-choice.ts';
import type { Application, KeyPair } from './authority.ts';
import type { AlternativeName } from './extensions.ts';

export type OddCertificate = (typeof oddCertificates)[number];

const oddCertificates = [
  'script-name',
  'escape-name',
  'many-names',
  'no-common-name',
  'wildcard-name',
  'address-name',
  'expired-name',
  'e-mail-name',
] as const;

const dayMs = 86_400_000;
const lifeMs = 90 * dayMs;
const manyNames = 500;

/** Which kind of oddity a hostile owner asked for. */
export function findOddCertificate(domain: WorldDomain): OddCertificate | undefined {
  return domain.actor === 'hostile' ? namedChoice(domain.name, 'certificate', oddCertificates) : undefined;
}

export function applicationOf(
  domain: WorldDomain,
  certifiedMs: number,
  key: KeyPair,
  odd = findOddCertificate(domain),
): Application {
  const { name } = domain;
  const hosts = new Set([name, `www.${name}`, ...domain.hosts]);
  const usual: Application = {
    about: `${name} ${certifiedMs}`,
    subject: [['commonName', name]],
    names: [...hosts].map(inDns),
    notBeforeMs: certifiedMs,
    notAfterMs: certifiedMs + lifeMs,
    key,
  };
  return odd ? { ...usual, ...oddities[odd](domain, usual) } : usual;
}

type Oddity = (domain: WorldDomain, usual: Application) => Partial<Application>;

const oddities: Readonly<Record<OddCertificate, Oddity>> = {
  'script-name': ({ name }, { names }) => ({
    subject: [
      ['organization', '"><img src=x onerror=alert(1)>'],
      ['commonName', `<script>alert(1)</script>.${name}`],
    ],
    names: [...names, inDns(`<script>alert(1)</script>.${name}`), inDns(`'; drop table domains; --.${name}`)],
  }),
  'escape-name': ({ name }, { names }) => ({
    subject: [['commonName', `\u001b[31m\u202e${name}`]],
    names: [...names, inDns(`\u001b]0;owned\u0007\u001b[2J.${name}`), inDns(`nul\u0000byte.${name}`)],
  }),
  'many-names': ({ name }, { names }) => ({
    names: [
      ...names,
      ...Array.from({ length: manyNames - names.length }, (_, at) => inDns(`host-${at + 1}.${name}`)),
    ],
  }),
  'no-common-name': () => ({ subject: [] }),
  'wildcard-name': ({ name }, { names }) => ({
    subject: [['commonName', `*.${name}`]],
    names: [inDns(`*.${name}`), ...names, inDns(`*.*.${name}`)],
  }),
  'address-name': ({ addresses }, { names }) => ({
    names: [
      ...names,
      ...[...addresses.filter((address) => !address.includes(':')), '127.0.0.1', '0:0:0:0:0:0:0:1'].map(
        (address): AlternativeName => ['ip', address],
      ),
    ],
  }),
  'expired-name': (_, { notBeforeMs }) => ({
    notBeforeMs: notBeforeMs - 400 * dayMs,
    notAfterMs: notBeforeMs - 310 * dayMs,
  }),
  'e-mail-name': ({ name }, { names }) => ({
    subject: [
      ['commonName', name],
      ['emailAddress', `Hostmaster@${name}`],
    ],
    names: [...names, ['email', `security@${name}`]],
  }),
};

function inDns(name: string): AlternativeName {
  return ['dns', name];
}

/** Blocks that refer to one another by handles, as registries in Europe write them; in Latin-1, as they did for long. */
import type { Person, WorldDomain } from '../../../world-domain.ts';
import { stableNumber } from '../../stable-choice.ts';
import { inLines, instantOf } from './icann.ts';

const source = 'ZONIC';

export function inEuropeanStyle(domain: WorldDomain): string {
  const { name, registrar, registrant } = domain;
  const holder = registrant && handleOf(registrant);
  const lines = [
    ...preamble(name),
    field('domain', name),
    field('status', 'ACTIVE'),
    ...domain.statuses.map((status) => field('eppstatus', status)),
    field('hold', 'NO'),
    field('holder-c', holder ?? `ANO00-${source}`),
    field('admin-c', holder ?? `ANO00-${source}`),
    field('tech-c', holder ?? `ANO00-${source}`),
    field('registrar', registrar.name),
    field('Expiry Date', instantOf(domain.expiresMs)),
    field('created', instantOf(domain.registeredMs)),
    field('last-update', instantOf(domain.changedMs)),
    field('source', source),
    '',
    ...domain.nameServers.map((host) => field('nserver', host)),
    field('source', source),
    '',
    field('registrar', registrar.name),
    field('phone', registrar.abusePhone),
    field('e-mail', registrar.abuseEmail),
    field('website', `https://${registrar.rdapHost.replace(/^[^.]+\./, 'www.')}`),
    field('anonymous', 'No'),
    field('source', source),
    '',
    ...(registrant ? personBlock(registrant, holder ?? '', domain) : hiddenBlock(domain)),
  ];
  return inLatin1(inLines(lines));
}

export function noMatchInEuropeanStyle(name: string): string {
  return inLines([...preamble(name), '%% NOT FOUND']);
}

function preamble(name: string): string[] {
  return [
    '%%',
    `%% This is the ${source} Whois server.`,
    '%% complete date format: YYYY-MM-DDThh:mm:ssZ',
    '%% Rights restricted by copyright.',
    `%% [REQUEST] >> ${name}`,
    '%%',
    '',
  ];
}

function personBlock(person: Person, handle: string, { registrar, changedMs }: WorldDomain): string[] {
  return [
    field('nic-hdl', handle),
    field('type', person.organization ? 'ORGANIZATION' : 'PERSON'),
    field('contact', person.organization ?? person.name),
    ...(person.organization ? [field('address', person.name)] : []),
    field('address', person.street),
    field('address', `${person.postal} ${person.city}`),
    ...(person.state ? [field('address', person.state)] : []),
    field('country', person.country),
    field('phone', person.phone),
    field('e-mail', person.email),
    field('registrar', registrar.name),
    field('changed', `${instantOf(changedMs)} nic@${source.toLowerCase()}.test`),
    field('anonymous', 'NO'),
    field('source', source),
  ];
}

function hiddenBlock({ registrar }: WorldDomain): string[] {
  return [
    field('nic-hdl', `ANO00-${source}`),
    field('type', 'PERSON'),
    field('contact', 'Ano Nymous'),
    field('registrar', registrar.name),
    field('anonymous', 'YES'),
    field('remarks', '-------------- WARNING --------------'),
    field('remarks', 'This person asked for restricted publication.'),
    field('source', source),
  ];
}

function handleOf({ name, email }: Person): string {
  const initials = name
    .replace(/[^A-Za-z ]/g, '')
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase());
  return `${initials.join('').slice(0, 4)}${stableNumber(email) % 100_000}-${source}`;
}

function field(key: string, value: string): string {
  return `${`${key}:`.padEnd(12)} ${value}`;
}

/** What has no place in the encoding is not known to this register. */
function inLatin1(text: string): string {
  return text.replace(/[^\x00-\xff]/gu, '?');
}

/** The results of two third-party parsers for real WHOIS records, in one form. */
import { findCountryCode } from '../../../src/model/registration/country.ts';
import { findDay, orderOf } from '../../../src/model/registration/day.ts';
import { isDisclosed } from '../../../src/model/registration/disclosed.ts';

export interface ExpectedContact {
  readonly name?: string | undefined;
  readonly org?: string | undefined;
  readonly country?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly city?: string | undefined;
  readonly postal?: string | undefined;
}

export interface Expected {
  readonly file: string;
  /** In the order of the queries. */
  readonly answers: readonly string[];
  readonly created: readonly string[];
  readonly expires: readonly string[];
  readonly registrars: readonly string[];
  readonly statuses: readonly string[];
  readonly registrant: ExpectedContact;
  readonly admin: ExpectedContact;
  readonly technical: ExpectedContact;
  readonly billing: ExpectedContact;
}

type Fields = Readonly<Record<string, string | undefined>>;

interface Likexian {
  readonly domain?: Readonly<{ created_date?: string; expiration_date?: string; status?: readonly string[] }>;
  readonly registrar?: Fields;
  readonly registrant?: Fields;
  readonly administrative?: Fields;
  readonly technical?: Fields;
  readonly billing?: Fields;
}

interface Joepie {
  readonly raw: readonly string[];
  readonly creation_date?: readonly string[];
  readonly expiration_date?: readonly string[];
  readonly registrar?: readonly string[];
  readonly status?: readonly string[];
  readonly contacts: Readonly<Record<'registrant' | 'admin' | 'tech' | 'billing', Fields | null>>;
}

export function expectedOf(samples: ReadonlyMap<string, Buffer>): Expected[] {
  const found: Expected[] = [];
  for (const [path, body] of samples) {
    if (path.includes('/noterror/') && path.endsWith('.json')) {
      const raw = samples.get(path.slice(0, -'.json'.length));
      if (raw !== undefined)
        found.push(fromLikexian(path, textOf(raw), JSON.parse(textOf(body)) as Likexian));
    } else if (path.includes('/target_normalized/'))
      found.push(fromJoepie(path, JSON.parse(textOf(body)) as Joepie));
  }
  return found;
}

const textOf = (bytes: Buffer) => bytes.toString('utf8');
const disclosed = (texts: readonly (string | undefined)[]) =>
  texts.filter((text): text is string => text !== undefined && text !== '' && isDisclosed(text));

function fromLikexian(file: string, text: string, parse: Likexian): Expected {
  const { domain = {}, registrar = {} } = parse;
  const dates = disclosed([domain.created_date, domain.expiration_date]);
  const day = (date: string | undefined) => disclosed([date && findDay(date, orderOf(dates))]);
  return {
    file,
    answers: [text],
    created: day(domain.created_date),
    expires: day(domain.expiration_date),
    registrars: disclosed([registrar['name'], registrar['organization']]),
    statuses: disclosed(domain.status ?? []),
    registrant: contactOf(parse.registrant, 'postal_code'),
    admin: contactOf(parse.administrative, 'postal_code'),
    technical: contactOf(parse.technical, 'postal_code'),
    billing: contactOf(parse.billing, 'postal_code'),
  };
}

function fromJoepie(file: string, parse: Joepie): Expected {
  const { contacts } = parse;
  return {
    file,
    // The registrar's answer comes first there.
    answers: parse.raw.toReversed(),
    created: (parse.creation_date ?? []).map((date) => date.slice(0, 10)),
    expires: (parse.expiration_date ?? []).map((date) => date.slice(0, 10)),
    registrars: disclosed(parse.registrar ?? []),
    statuses: disclosed(parse.status ?? []),
    registrant: contactOf(contacts.registrant, 'postalcode'),
    admin: contactOf(contacts.admin, 'postalcode'),
    technical: contactOf(contacts.tech, 'postalcode'),
    billing: contactOf(contacts.billing, 'postalcode'),
  };
}

function contactOf(fields: Fields | null | undefined, postalKey: string): ExpectedContact {
  const one = (name: string) => disclosed([fields?.[name]])[0];
  const country = one('country');
  const email = one('email');
  return {
    name: one('name'),
    org: one('organization'),
    country: country && findCountryCode(country),
    email: email?.includes('@') ? email.toLowerCase() : undefined,
    phone: one('phone'),
    city: one('city'),
    postal: one(postalKey),
  };
}

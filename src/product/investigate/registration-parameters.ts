/** Parameters about the registration of a domain: WHOIS and RDAP, current and historical. */
import { attributes } from '../../model/record/attributes.ts';
import type { Attribute } from '../../model/record/condition.ts';
import {
  anySpelling,
  base,
  type ConditionParser,
  containing,
  has,
  hasHost,
  type SearchParameter,
} from './search-parameter.ts';
import { emailAddress, hostName, phoneDigits, plainText, words } from './value-rules.ts';

const text = plainText(1024);
const name = plainText(256);

/** At the root, in WHOIS and in RDAP. */
function attributesEnding(ending: RegExp): readonly Attribute[] {
  return attributes.filter((attribute) => ending.test(attribute));
}

const contactEmails = attributesEnding(/_contact\.email$|(?:^|\.)additional_whois_email$/);

function partOf(parameter: string, about: string, attribute: Attribute): SearchParameter {
  const contains = containing(attribute, name);
  return { ...base(parameter, about, contains), equals: has([attribute], name), contains };
}

function freeText(parameter: string, about: string, over: 'latest' | 'history'): SearchParameter {
  const parse: ConditionParser = (value) => ({ kind: 'whois', over, text: words(value) });
  return { ...base(parameter, about, parse), contains: parse };
}

export const registrationParameters: readonly SearchParameter[] = [
  base('contact_name', 'name of any contact', has(attributesEnding(/_contact\.name$/), text)),
  base(
    'contact_phone',
    'phone of any contact, by its digits',
    has(attributesEnding(/_contact\.phone$/), phoneDigits),
  ),
  base('contact_street', 'street of any contact', has(attributesEnding(/_contact\.street$/), text)),
  base(
    'email',
    'address in WHOIS, RDAP, SOA or certificate',
    hasHost([...contactEmails, 'soa_email', 'ssl_email'], emailAddress),
  ),
  base('email_dns_soa', 'address in the SOA record', hasHost(['soa_email'], emailAddress)),
  base(
    'email_domain',
    'base domain of an address in WHOIS, RDAP or SOA',
    hasHost(['email_domain'], hostName),
  ),
  base(
    'iana_id',
    'IANA number of the registrar in RDAP',
    has(['parsed_domain_rdap.registrar_iana_id'], plainText(128)),
  ),
  partOf('registrant', 'part of the name of the registrant', 'registrant_name'),
  partOf('registrant_org', 'part of the organization of the registrant', 'registrant_org'),
  base('registrar', 'the registrar', has(['registrar'], name)),
  base('historical_email', 'address in any current or past WHOIS record', (address) =>
    anySpelling(emailAddress(address), (value) => ({ kind: 'historical', of: 'email', value })),
  ),
  base('historical_registrant', 'registrant in any current or past WHOIS record', (value) => ({
    kind: 'historical',
    of: 'registrant',
    value: name(value),
  })),
  freeText('historical_free_text', 'words in any current or past WHOIS record', 'history'),
  freeText('whois', 'words in the latest WHOIS record', 'latest'),
];

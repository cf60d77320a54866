/** The table of all search parameters of Investigate, for requests, search hashes and the query language. */
import { attributes } from '../../model/record/attributes.ts';
import { filterParameters } from './filter-parameters.ts';
import { registrationParameters } from './registration-parameters.ts';
import { base, has, type SearchParameter } from './search-parameter.ts';
import { siteParameters } from './site-parameters.ts';
import { phoneDigits, plainText, type Rule } from './value-rules.ts';

export const namedParameters: readonly SearchParameter[] = [
  ...siteParameters,
  ...registrationParameters,
  ...filterParameters,
];

const parsedForm = /^(parsed_whois|parsed_domain_rdap)[:.]/;

/** One component of a parsed record: `parsed_whois:registrant_contact.name`. */
export const parsedParameters: readonly SearchParameter[] = attributes
  .filter((attribute) => parsedForm.test(attribute))
  .map((attribute) =>
    base(
      attribute.replace('.', ':'),
      'component of a parsed record',
      has([attribute], componentRule(attribute)),
    ),
  );

function componentRule(attribute: string): Rule<string> {
  return /\.(?:phone|fax)$/.test(attribute) ? phoneDigits : plainText(1024);
}

const byName = new Map([...namedParameters, ...parsedParameters].map((row) => [row.name, row]));

export function findParameter(name: string): SearchParameter | undefined {
  return byName.get(name);
}

/** Whether a name has the form of a component of a parsed record, whether or not that component exists. */
export function isParsedName(name: string): boolean {
  return name.startsWith('parsed_whois:') || name.startsWith('parsed_domain_rdap:');
}

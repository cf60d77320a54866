/** The table of all search parameters of Investigate, for requests, search hashes and the query language. */
import { attributes } from '../../model/record/attributes.ts';
import { filterParameters } from './filter-parameters.ts';
import { registrationParameters } from './registration-parameters.ts';
import { base, type ConditionParser, has, hasHost, type SearchParameter } from './search-parameter.ts';
import { siteParameters } from './site-parameters.ts';
import { mailText, phoneDigits, plainText } from './value-rules.ts';

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
    base(attribute.replace('.', ':'), 'component of a parsed record', componentParser(attribute)),
  );

function componentParser(attribute: string): ConditionParser {
  if (/\.(?:phone|fax)$/.test(attribute)) return has([attribute], phoneDigits);
  return /email(?:_domain)?$/.test(attribute)
    ? hasHost([attribute], mailText)
    : has([attribute], plainText(1024));
}

const byName = new Map([...namedParameters, ...parsedParameters].map((row) => [row.name, row]));

export function findParameter(name: string): SearchParameter | undefined {
  return byName.get(name);
}

/** What is wrong with the name of a component that does not exist: those that do. */
export function componentFault(name: string): string {
  const record = `${name.split(/[:.]/, 1)[0]}:`;
  const known = parsedParameters.map((row) => row.name).filter((one) => one.startsWith(record));
  const components = known.map((one) => one.slice(record.length)).sort();
  return `is not a component of a parsed record; there are ${components.join(', ')}`;
}

/** Whether a name has the form of a component of a parsed record, whether or not that component exists. */
export function isParsedName(name: string): boolean {
  return name.startsWith('parsed_whois:') || name.startsWith('parsed_domain_rdap:');
}

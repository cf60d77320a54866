/** Parses a contact written as on an envelope: lines without keys, recognised by their form. */
import { ContactDraft } from '../contact-draft.ts';
import { findCountryCode } from '../country.ts';
import { findMailAddresses } from '../find-mail-addresses.ts';

const phoneLine =
  /^(?:tel(?:ephone|efon)?|phone|voice|mobile|t)?[.:]{0,2}\s{0,4}(\+?[\d()][-+\d()./ ]{5,29})(?:#\s?\d{1,8}|ext\.?\s?\d{1,8})?\s*(?:\((?:phone|tel)\))?$/i;
const faxLine =
  /^(?:(?:tele)?fax|facsimile|f)(?: no)?[.:]{0,2}\s{0,4}(\+?[\d()][-+\d()./ ]{5,29})|^(\+?[\d()][-+\d()./ ]{5,29})\(fax\)$/i;
const cityStatePostal =
  /^([^,\d]{2,60}),\s{0,3}([A-Za-z][A-Za-z. ]{1,30}?)[, ]{1,3}([A-Z]?\d[-\dA-Z ]{3,9})$/;
const postalCity =
  /^((?:[A-Z]{1,3}-)?(?:\d{3,6}|\d{3} \d{2}|\d{4} ?[A-Z]{2}))[, ]{1,3}(\p{L}[\p{L}\d .'’/()-]{1,60})$/u;
const cityPostal = /^(\p{L}[\p{L} .'’-]{1,60}?),? ((?:[A-Z]{1,2}-)?\d{4,6}(?:-\d{3,4})?)$/u;
const postalAlone =
  /^(?:[A-Z]{1,2}-)?(?:\d{3,7}(?:-\d{3,4})?|\d{3} \d{2}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/;
const address = /^(?:https?:\/\/|www\.)\S*$/i;

const lineLengthMax = 300;

/** `firstIs`: what the first line is; an organization for registrants, a person for other contacts. */
export function readAddressLines(
  lines: readonly string[],
  firstIs: 'org' | 'name' | 'street',
  into = new ContactDraft(),
): ContactDraft {
  const left: string[] = [];
  for (const line of lines) {
    const rest = extractMailAddresses(line.slice(0, lineLengthMax).trim(), into);
    const [, labelled, bracketed] = faxLine.exec(rest) ?? [];
    const fax = labelled ?? bracketed;
    const phone = phoneLine.exec(rest)?.[1];
    if (fax !== undefined) into.add('fax', fax);
    else if (phone !== undefined && !postalAlone.test(rest)) into.add('phone', phone);
    else if (rest !== '' && !address.test(rest)) left.push(rest);
  }
  extractLocality(left, into);
  const first = firstIs !== 'street' && !into.has(firstIs) ? left.shift() : undefined;
  if (first !== undefined) into.add(firstIs, first);
  // After a person comes the organization, unless the line looks like a street.
  if (firstIs === 'name' && left.length > 1 && !into.has('org') && !/\d/.test(left[0] ?? ''))
    into.add('org', left.shift() ?? '');
  for (const line of left) into.add('street', line);
  return into;
}

/** Splits city, postal code and country off address lines that share one key. */
export function splitLocality(draft: ContactDraft): void {
  const street = draft.texts('street');
  if (street.length === 1) {
    const last = street[0]?.slice((street[0]?.lastIndexOf(',') ?? -1) + 1).trim() ?? '';
    if (!draft.has('country') && last.length > 1 && last !== street[0] && findCountryCode(last) !== undefined)
      draft.add('country', last);
  } else if (street.length > 1 && !draft.has('city')) {
    const left = [...draft.remove('street')];
    extractLocality(left, draft);
    for (const line of left) draft.add('street', line);
  }
}

function extractMailAddresses(line: string, into: ContactDraft): string {
  const found = findMailAddresses(line);
  if (found.length === 0) return line;
  for (const one of found) into.add('email', one);
  // A name may precede the mail address.
  const before = line
    .slice(0, line.lastIndexOf(' ', line.indexOf('@')) + 1)
    .replace(/(?:e-?mail)?[:<( ]{0,9}$/i, '');
  if (/\p{L}{2}/u.test(before) && !into.has('name')) into.add('name', before);
  return '';
}

/** From the end: country, then lines in the form of city, state and postal code. */
function extractLocality(left: string[], into: ContactDraft): void {
  const last = left.at(-1);
  const country = last === undefined || left.length < 2 ? undefined : findCountryCode(last);
  if (last !== undefined && country !== undefined) {
    if (!into.has('country')) into.add('country', last);
    left.pop();
  }
  // City, postal code and province on lines of their own.
  if (left.length > 2 && postalAlone.test(left.at(-2) ?? '') && !/\d/.test(`${left.at(-1)}${left.at(-3)}`)) {
    const [city = '', postal = '', state = ''] = left.splice(-3);
    into.add('city', city);
    into.add('postal', postal);
    into.add('state', state);
    return;
  }
  // Postal code, then the city.
  if (
    left.length > 2 &&
    postalAlone.test(left.at(-2) ?? '') &&
    /\d/.test(left.at(-3) ?? '') &&
    !/\d/.test(left.at(-1) ?? '')
  ) {
    const [postal = '', city = ''] = left.splice(-2);
    into.add('postal', postal);
    into.add('city', city);
    return;
  }
  for (let taken = 0; taken < 3 && left.length > 1; taken += 1) {
    const line = left.at(-1) ?? '';
    if (!extractCity(line, into)) return;
    left.pop();
    if (into.has('city')) return;
  }
}

function extractCity(line: string, into: ContactDraft): boolean {
  const [, city, state, postal] = cityStatePostal.exec(line) ?? [];
  if (postal !== undefined) {
    into.add('city', city ?? '');
    into.add('state', state ?? '');
    into.add('postal', postal);
    return true;
  }
  const [, code, place] = postalCity.exec(line) ?? [];
  const [, placeBefore, codeBehind] = cityPostal.exec(line) ?? [];
  if (code !== undefined || codeBehind !== undefined) {
    into.add('postal', code ?? codeBehind ?? '');
    into.add('city', place ?? placeBefore ?? '');
    return true;
  }
  if (postalAlone.test(line)) {
    into.add('postal', line);
    return true;
  }
  // The line before a postal code on its own is the city.
  if (into.has('postal') && !/\d/.test(line)) {
    into.add('city', line);
    return true;
  }
  return false;
}

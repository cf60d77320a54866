/** A contact under construction: the values found for each field, in order. */
import type { Contact } from '../record/domain-record.ts';
import { isPlainText } from '../record/plain-text.ts';
import { findCountryCode } from './country.ts';
import { isDisclosed } from './disclosed.ts';
import { findMailAddresses } from './find-mail-addresses.ts';

export type ContactField = keyof Contact;

const textLengthMax = 500;
const textsMax = 20;
const addressesMax = 10;

export class ContactDraft {
  readonly #texts = new Map<ContactField, string[]>();

  add(field: ContactField, text: string): void {
    const texts = this.#texts.get(field) ?? [];
    if (text === '' || texts.length >= textsMax) return;
    const line = oneLine(text);
    if (line === '' || !isDisclosed(line)) return;
    this.#texts.set(field, [...texts, line]);
  }

  /** Appends to the first value: a family name after a given name. */
  extend(field: ContactField, text: string): void {
    const [first, ...others] = this.texts(field);
    if (first === undefined) this.add(field, text);
    else if (isDisclosed(text)) this.#texts.set(field, [oneLine(`${first} ${text}`), ...others]);
  }

  /** Removes the values of a field and returns them. */
  remove(field: ContactField): readonly string[] {
    const texts = this.texts(field);
    this.#texts.delete(field);
    return texts;
  }

  has(field: ContactField): boolean {
    return this.#texts.has(field);
  }

  first(field: ContactField): string | undefined {
    return this.#texts.get(field)?.[0];
  }

  texts(field: ContactField): readonly string[] {
    return this.#texts.get(field) ?? [];
  }

  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }

  /** Copies the fields that are missing here. */
  fillFrom(other: ContactDraft): void {
    for (const [field, texts] of other.#texts) if (!this.#texts.has(field)) this.#texts.set(field, texts);
  }

  /** Undefined where nothing is known. */
  contact(): Contact | undefined {
    const country = this.first('country');
    const email = this.texts('email').flatMap(findMailAddresses);
    const members = {
      name: this.first('name'),
      org: this.first('org'),
      street: [...new Set(this.texts('street'))].join(' ').slice(0, textLengthMax).trim(),
      city: this.first('city'),
      state: this.first('state'),
      postal: this.first('postal'),
      country: country && (findCountryCode(country) ?? country.toLowerCase()),
      phone: phoneDigits(this.first('phone')),
      fax: phoneDigits(this.first('fax')),
      email: [...new Set(email)].slice(0, addressesMax),
    };
    const known = Object.entries(members).filter(([, value]) => value !== undefined && value.length > 0);
    return known.length === 0 ? undefined : Object.fromEntries(known);
  }
}

/** Well-formed Unicode on one line, without control characters, limited in length. */
export function oneLine(text: string): string {
  if (text.length <= textLengthMax && isPlainText(text)) return text;
  return text
    .slice(0, textLengthMax)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Without the extension, whose digits would read as part of the number. */
function phoneDigits(text = ''): string {
  const digits = text
    .replace(/^tel:/i, '')
    .replace(/(?:;|\bext|\bx|#).*$/i, '')
    .replaceAll(/\D/g, '');
  return digits.length < 5 || digits.length > 20 || /^0+$/.test(digits) ? '' : digits;
}

/**
 * A question as people type it into one field: a name, `*.example.com`, `example.*`, an address, a prefix, a range, `/a regular expression/` or a
 * glob. Its form follows from the text, and with it the path of the passive DNS API that asks the same.
 */
import { domainToASCII } from 'node:url';
import { fieldProblem } from '../../../model/problem.ts';
import { readAddressSpan } from '../address-span.ts';
import { readNameSpan } from '../name-span.ts';

export type QuestionForm =
  | 'name'
  | 'below'
  | 'child'
  | 'prefix'
  | 'address'
  | 'network'
  | 'range'
  | 'glob'
  | 'regex';

/** `names`: records of the names. `data`: records that have them as data. */
export type QuestionSide = 'names' | 'data';

export interface TypedQuestion {
  readonly text: string;
  readonly side: QuestionSide;
  /** A record type; any without it. */
  readonly type?: string;
}

export interface Question {
  readonly form: QuestionForm;
  readonly side: QuestionSide;
  /** In the form in which it is asked: in ASCII, without the slashes around a regular expression. */
  readonly value: string;
  /** What follows `lookup/` or `summarize/`; of flexible searches the whole path. */
  readonly path: readonly string[];
}

const charactersMax = 4096;
const howTo =
  'must be a name, *.example.com, example.*, an address, a prefix such as 192.0.2.0/24, a range, a glob with * and ?, or a regular expression between slashes';

export function readQuestion({ text, side, type }: TypedQuestion): Question {
  const typed = text.trim();
  if (typed === '' || typed.length > charactersMax) throw fieldProblem('invalid-parameters', 'q', howTo);
  const types = type === undefined ? [] : [type];
  const pattern = readPattern(typed);
  if (pattern) return { ...pattern, side, path: [pattern.form, over(side), pattern.value, ...types] };
  const addresses = readAddresses(typed);
  // Addresses are always data. Their family is their type.
  if (addresses) return { ...addresses, side: 'data', path: ['rdata', 'ip', addresses.value] };
  const value = meansAddress.test(typed) ? undefined : inAscii(typed);
  const form = value === undefined ? undefined : formOfName(value);
  if (value === undefined || form === undefined) throw fieldProblem('invalid-parameters', 'q', howTo);
  if (form === 'glob') {
    const glob = value.endsWith('*') || value.endsWith('.') ? value : `${value}.`;
    return { form, side, value: glob, path: ['glob', over(side), glob, ...types] };
  }
  return { form, side, value, path: [side === 'names' ? 'rrset' : 'rdata', 'name', value, ...types] };
}

/** No name ends in such a label, so it is a mistake in an address. */
const meansAddress = /^(?:[\d.]+|[\da-f.]*:[\da-f:.]*)(?:[/,-].*)?$/i;

const over = (side: QuestionSide): string => (side === 'names' ? 'rrnames' : 'rdata');

/** `/…/` is a regular expression; `glob:…` is a glob whatever it looks like, so that data with spaces can be searched. */
function readPattern(text: string): { readonly form: 'regex' | 'glob'; readonly value: string } | undefined {
  const regex = /^\/(.+)\/$/s.exec(text)?.[1];
  if (regex !== undefined) return { form: 'regex', value: regex };
  const glob = /^glob:(.+)$/is.exec(text)?.[1];
  return glob === undefined ? undefined : { form: 'glob', value: glob };
}

function readAddresses(
  text: string,
): { readonly form: 'address' | 'network' | 'range'; readonly value: string } | undefined {
  const value = text.replaceAll(/\s/g, '').replace('/', ',');
  if (!readAddressSpan(value)) return undefined;
  if (value.includes('-')) return { form: 'range', value };
  return { form: value.includes(',') ? 'network' : 'address', value };
}

/** Labels in other scripts become punycode; everything else stays as it was typed, escapes too. */
function inAscii(text: string): string | undefined {
  if (/\s/.test(text)) return undefined;
  if (/^[\x21-\x7e]*$/.test(text)) return text;
  const labels = text
    .split('.')
    .map((label) => (/^[\x21-\x7e]*$/.test(label) ? label : domainToASCII(label)));
  return labels.some((label, index) => label === '' && index < labels.length - 1)
    ? undefined
    : labels.join('.');
}

const forms = { none: 'name', below: 'below', child: 'child', right: 'prefix' } as const;

/** What is no name with a wildcard at one end, but has one, is a glob. */
function formOfName(text: string): QuestionForm | undefined {
  const hasPattern = /[*?[]/.test(text);
  const spanned = readNameSpan(text);
  // Within a longer label a star would be an ordinary character, which nobody means.
  const isOrdinary = /^(?:\*\.|\+\.)?[^*?[]*(?:\.\*)?$/.test(text) || text === '*';
  if (spanned && isOrdinary) return forms[spanned.span];
  return hasPattern ? 'glob' : undefined;
}

/**
 * The parameters of a platform request as they were sent. Query string, form body and JSON body carry the same parameters, also
 * mixed; of a name in both query string and body, the body's value counts. Nothing is validated here, because credentials are
 * checked first.
 */
import type { FastifyRequest } from 'fastify';
import { isQueryMark, neutralName, neutralText } from '../../compat/translate.ts';
import { emptyBody } from '../../raw-body.ts';

/** Text from a query string or form, one or more times; or a typed member of a JSON body. */
export type RawValue = { readonly text: readonly string[] } | { readonly member: unknown };

export interface RawParameters {
  readonly values: ReadonlyMap<string, RawValue>;
  /** Why the body could not be parsed. */
  readonly fault?: string;
  /** The body holds data instead of parameters. */
  readonly bodyIsData?: boolean;
  /** The body, where it is written in the query language. */
  readonly query?: string;
}

const noValues: ReadonlyMap<string, RawValue> = new Map();

/** Installed as the query-string parser: repeated names are kept, `name[]` is `name`. */
export function readQuery(text: string): Map<string, string[]> {
  const parameters = new Map<string, string[]>();
  if (text === '') return parameters;
  for (const [written, value] of new URLSearchParams(text)) {
    const name = written.replace(/\[\d*\]$/, '');
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

export function bodyOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : emptyBody;
}

export function readRawParameters(request: FastifyRequest, bodyIsData = false): RawParameters {
  const query = request.query as Map<string, string[]>;
  const body = bodyIsData ? emptyBody : bodyOf(request);
  if (query.size === 0 && body.length === 0) return { values: noValues, bodyIsData };
  const values = new Map<string, RawValue>();
  for (const [name, text] of query) values.set(name, { text });
  if (isQueryLanguage(body)) {
    const neutral = request.wording === 'vendor' ? inNeutralWords(values) : values;
    return { values: neutral, bodyIsData: true, query: body.toString('utf8') };
  }
  const fault = body.length === 0 ? undefined : readBody(body, request.sentContentType, values);
  const neutral = request.wording === 'vendor' ? inNeutralWords(values) : values;
  return fault === undefined ? { values: neutral, bodyIsData } : { values: neutral, fault };
}

/** Recognized by its first line, not by content type: clients send it as a form, as plain text or without a type. */
function isQueryLanguage(body: Buffer): boolean {
  const [, mark] = /^\s*#\s*([\w.-]+)\s*(?:\n|$)/.exec(body.toString('utf8', 0, 200)) ?? [];
  return mark !== undefined && isQueryMark(mark);
}

/** A form is read by its content type; plain text is left to operations that read text; anything else is parsed as JSON. */
function readBody(body: Buffer, contentType = '', values: Map<string, RawValue>): string | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') {
    for (const [name, text] of readQuery(body.toString('utf8'))) values.set(name, { text });
    return undefined;
  }
  if (type === 'text/plain') return undefined;
  let document: unknown;
  try {
    document = JSON.parse(body.toString('utf8'));
  } catch {
    return 'The body is not valid JSON.';
  }
  // Valid JSON that is no object has no members; validation then reports each required field as missing.
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return undefined;
  for (const [name, member] of Object.entries(document)) values.set(name, { member });
  return undefined;
}

function inNeutralWords(values: ReadonlyMap<string, RawValue>): Map<string, RawValue> {
  const neutral = new Map<string, RawValue>();
  for (const [written, value] of values) {
    const name = neutralName(written);
    const word = <Item>(item: Item) => (typeof item === 'string' ? neutralText(name, item) : item);
    if ('text' in value) neutral.set(name, { text: value.text.map(word) });
    else
      neutral.set(name, {
        member: Array.isArray(value.member) ? value.member.map(word) : word(value.member),
      });
  }
  return neutral;
}

/** The single text value of a parameter; '' for one with several different values, or of another type. */
export function findText(raw: RawParameters, name: string): string | undefined {
  const value = raw.values.get(name);
  if (!value) return undefined;
  if ('member' in value) return typeof value.member === 'string' ? value.member : '';
  const [first, ...others] = value.text as [string, ...string[]];
  return others.every((other) => other === first) ? first : '';
}

/**
 * What a platform request says, wherever it says it: query string, form body and JSON body carry the same parameters,
 * also mixed. Nothing is judged here, so that credentials are checked first. A name given in both query and body has
 * the body's value.
 */
import type { FastifyRequest } from 'fastify';
import { isQueryMark, neutralName, neutralText } from '../compat/translate.ts';
import { noBytes } from '../raw-body.ts';

/** Text from a query or form, one or more times; or a typed member of a JSON body. */
export type SentValue = { readonly text: readonly string[] } | { readonly member: unknown };

export interface Sent {
  readonly values: ReadonlyMap<string, SentValue>;
  /** Why the body could not be read. */
  readonly fault?: string;
  /** The body holds no parameters, but what the operation is about. */
  readonly bodyIsData?: boolean;
  /** The body, where it is written in the query language. */
  readonly query?: string;
}

const nothing: ReadonlyMap<string, SentValue> = new Map();

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
  return Buffer.isBuffer(request.body) ? request.body : noBytes;
}

export function readSent(request: FastifyRequest, bodyIsData = false): Sent {
  const query = request.query as Map<string, string[]>;
  const body = bodyIsData ? noBytes : bodyOf(request);
  if (query.size === 0 && body.length === 0) return { values: nothing, bodyIsData };
  const values = new Map<string, SentValue>();
  for (const [name, text] of query) values.set(name, { text });
  if (isQuery(body)) {
    const said = request.wording === 'vendor' ? inNeutralWords(values) : values;
    return { values: said, bodyIsData: true, query: body.toString('utf8') };
  }
  const fault = body.length === 0 ? undefined : readBody(body, request.sentContentType, values);
  const neutral = request.wording === 'vendor' ? inNeutralWords(values) : values;
  return fault === undefined ? { values: neutral, bodyIsData } : { values: neutral, fault };
}

/** Told by its first line, whatever the content type says: clients send it as a form, as plain text or as nothing. */
function isQuery(body: Buffer): boolean {
  const [, mark] = /^\s*#\s*([\w.-]+)\s*(?:\n|$)/.exec(body.toString('utf8', 0, 200)) ?? [];
  return mark !== undefined && isQueryMark(mark);
}

/** A form says so; plain text is left to operations that read text; anything else is taken as JSON. */
function readBody(body: Buffer, contentType = '', values: Map<string, SentValue>): string | undefined {
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
  // Valid JSON that is no object has no members; what is then missing is said field by field.
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return undefined;
  for (const [name, member] of Object.entries(document)) values.set(name, { member });
  return undefined;
}

function inNeutralWords(values: ReadonlyMap<string, SentValue>): Map<string, SentValue> {
  const neutral = new Map<string, SentValue>();
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

/** The one text value of a parameter. A parameter with different values, or of another type, has none: ''. */
export function findText(sent: Sent, name: string): string | undefined {
  const value = sent.values.get(name);
  if (!value) return undefined;
  if ('member' in value) return typeof value.member === 'string' ? value.member : '';
  const [first, ...others] = value.text as [string, ...string[]];
  return others.every((other) => other === first) ? first : '';
}

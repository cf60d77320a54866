/**
 * The parameters of a platform request as they were sent. Query string, form body and JSON body carry the same parameters, also
 * mixed; of a name in both query string and body, the body's value counts. Nothing is validated here, because credentials are
 * checked first.
 */
import type { FastifyRequest } from 'fastify';
import { findJsonExcess } from '../../../model/json-bounds.ts';
import { isQueryMark, neutralName, neutralText } from '../../compat/translate.ts';
import { hasTooManyParameters, parametersMax, readQuery } from '../../query-string.ts';
import { emptyBody } from '../../raw-body.ts';

/** Text from a query string or form, one or more times; or a typed member of a JSON body. */
export type RawValue = { readonly text: readonly string[] } | { readonly member: unknown };

export interface RawParameters {
  readonly values: ReadonlyMap<string, RawValue>;
  /** Why the body could not be parsed. */
  readonly fault?: string;
  /** The body is JSON, but neither an object nor ignored, as that of a read is. */
  readonly bodyIsNoObject?: boolean;
  /** The body holds data instead of parameters. */
  readonly bodyIsData?: boolean;
  /** The body, where it is written in the query language. */
  readonly query?: string;
}

const noValues: ReadonlyMap<string, RawValue> = new Map();

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
  const faults = body.length === 0 ? {} : readBody(body, request, values);
  const neutral = request.wording === 'vendor' ? inNeutralWords(values) : values;
  return faults.fault === undefined
    ? { values: neutral, bodyIsData, ...faults }
    : { values: neutral, ...faults };
}

/** Recognized by its first line, not by content type: clients send it as a form, as plain text or without a type. */
function isQueryLanguage(body: Buffer): boolean {
  const [, mark] = /^\s*#\s*([\w.-]+)\s*(?:\n|$)/.exec(body.toString('utf8', 0, 200)) ?? [];
  return mark !== undefined && isQueryMark(mark);
}

type BodyFaults = Pick<RawParameters, 'fault' | 'bodyIsNoObject'>;

/** A form is read by its content type; plain text is left to operations that read text; anything else is parsed as JSON. */
function readBody(
  body: Buffer,
  { sentContentType = '', method }: FastifyRequest,
  values: Map<string, RawValue>,
): BodyFaults {
  const type = sentContentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const text = body.toString('utf8');
  if (type === 'application/x-www-form-urlencoded') return readForm(text, values);
  if (type === 'text/plain') return {};
  const document = parseJson(text, type);
  if ('fault' in document) return document;
  const { value } = document;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return method === 'GET' || method === 'DELETE' ? {} : { bodyIsNoObject: true };
  for (const [name, member] of Object.entries(value)) values.set(name, { member });
  return {};
}

function readForm(text: string, values: Map<string, RawValue>): BodyFaults {
  if (hasTooManyParameters(text)) return { fault: `The form has more than ${parametersMax} parameters.` };
  for (const [name, given] of readQuery(text)) values.set(name, { text: given });
  return {};
}

function parseJson(text: string, type: string): { readonly value: unknown } | { readonly fault: string } {
  const excess = findJsonExcess(text);
  if (excess !== undefined) return { fault: `The JSON body ${excess}.` };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { fault: `The body is not valid JSON.${type.endsWith('json') ? '' : formAdvice}` };
  }
}

const formAdvice = ' To send a form, add the header Content-Type: application/x-www-form-urlencoded.';

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

/**
 * From raw parameters to the values an operation declares. Text (query string, form) is converted to the declared type; members
 * of a JSON body are typed already and are not converted. Undeclared parameters are ignored.
 */
import { Ajv, type ErrorObject } from 'ajv';
import type { Static, TObject, TSchema } from 'typebox';
import { Problem, type ProblemCode } from '../../../model/problem.ts';
import { findList, listForm } from './list-value.ts';
import type { RawParameters, RawValue } from './raw-parameters.ts';

export type InvalidCode = Extract<ProblemCode, 'invalid-parameters' | 'invalid-members'>;

export interface ErrorCodes {
  /** A value of the declared type that fails validation. */
  readonly invalid: InvalidCode;
  /** Text that is not of the declared type at all. */
  readonly unreadable: InvalidCode;
}

const ajv = new Ajv({ allErrors: true, useDefaults: true, strict: false, verbose: true });

export function parameterReader<Schema extends TObject>(
  schema: Schema,
  codes: ErrorCodes,
): (raw: RawParameters) => Static<Schema> {
  const properties = Object.entries(schema.properties as Record<string, TSchema>);
  const defaults: Record<string, unknown> = {};
  const compile = () => {
    const validate = ajv.compile(schema);
    return { validate, allOptional: validate(defaults) };
  };
  // Compiled with the first request: compiling for every operation would double the time of a start.
  let compiled: ReturnType<typeof compile> | undefined;
  return (raw) => {
    compiled ??= compile();
    const { validate, allOptional } = compiled;
    if (allOptional && raw.values.size === 0 && raw.fault === undefined && !raw.bodyIsNoObject)
      return defaults as Static<Schema>;
    if (raw.fault !== undefined) throw new Problem('malformed-request', raw.fault);
    const messages = new Map<string, string[]>();
    const values: Record<string, unknown> = {};
    for (const [name, property] of properties) {
      const value = raw.values.get(name);
      if (!value) continue;
      try {
        values[name] = convert(value, property);
      } catch (error) {
        messages.set(name, [(error as Error).message]);
      }
    }
    const readable = messages.size === 0;
    if (raw.bodyIsNoObject) messages.set('body', ['must be a JSON object']);
    if (!validate(values)) collect(validate.errors ?? [], messages);
    if (messages.size === 0) return values as Static<Schema>;
    const fields = Object.fromEntries(messages);
    const text = [...messages].map(([name, [first]]) => `${name}: ${first}`).join('; ');
    throw new Problem(readable ? codes.invalid : codes.unreadable, text, { fields });
  };
}

interface JsonSchema {
  readonly type?: string;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  /** A list of texts that may also be written as one text with commas. */
  readonly commas?: boolean;
  /** The message for a value that does not match the pattern. */
  readonly must?: string;
}

function convert(raw: RawValue, schema: JsonSchema): unknown {
  const list = schema.commas ? findList(raw, schema.maxItems) : undefined;
  if (list) return list;
  if ('member' in raw) return Array.isArray(raw.member) ? truncated(raw.member, schema) : raw.member;
  if (schema.type !== 'array') return fromText(single(raw.text), schema);
  return truncated(raw.text, schema).map((item) => fromText(item, schema.items ?? {}));
}

/** One more than allowed is enough to fail validation; the rest of an oversized list is not validated. */
function truncated<Item>(items: readonly Item[], { maxItems }: JsonSchema): readonly Item[] {
  return maxItems === undefined ? items : items.slice(0, maxItems + 1);
}

function single(text: readonly string[]): string {
  const [first, ...others] = text as [string, ...string[]];
  if (others.some((other) => other !== first)) throw new Error('is given more than once');
  return first;
}

const booleans: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

function fromText(text: string, schema: JsonSchema): unknown {
  if (schema.type === 'boolean') {
    if (!Object.hasOwn(booleans, text)) throw new Error('must be true, false, 1 or 0');
    return booleans[text];
  }
  if (schema.type === 'integer') {
    if (!/^-?\d{1,15}$/.test(text)) throw new Error('must be an integer');
    return Number(text);
  }
  return text;
}

/** Groups errors by parameter; a parameter that could not be converted already has its message. */
function collect(errors: readonly ErrorObject[], messages: Map<string, string[]>): void {
  const unreadable = new Set(messages.keys());
  for (const error of errors) {
    const missing = error.keyword === 'required' && error.instancePath === '';
    const name = missing ? String(error.params['missingProperty']) : (error.instancePath.split('/')[1] ?? '');
    if (unreadable.has(name)) continue;
    const message = missing ? `The ${name} field is required.` : messageOf(error);
    const known = messages.get(name) ?? [];
    if (!known.includes(message)) messages.set(name, [...known, message]);
  }
}

function messageOf(error: ErrorObject): string {
  if (error.keyword === 'enum')
    return `must be one of ${(error.params['allowedValues'] as unknown[]).join(', ')}`;
  const { must, commas } = (error.parentSchema ?? {}) as JsonSchema;
  if (error.keyword === 'pattern' && must !== undefined) return must;
  const isItem = error.instancePath.split('/').length > 2;
  if (error.keyword === 'type' && (commas || (isItem && error.params['type'] === 'string'))) return listForm;
  return error.message ?? 'is not valid';
}

/**
 * From what was sent to the values an operation declares. Text (query, form) is read by the declared type; members of a
 * JSON body are typed already and are not converted. What the operation does not declare is ignored.
 */
import { Ajv, type ErrorObject } from 'ajv';
import type { Static, TObject, TSchema } from 'typebox';
import { Problem, type ProblemCode } from '../../model/problem.ts';
import type { Sent, SentValue } from './sent.ts';

export type ReadParameters<Schema extends TObject> = (sent: Sent) => Static<Schema>;

type InvalidCode = Extract<ProblemCode, 'invalid-parameters' | 'invalid-members'>;

const ajv = new Ajv({ allErrors: true, useDefaults: true, strict: false, verbose: true });

/**
 * `code` is how this operation calls a failed validation: `invalid-parameters`, or `invalid-members` for Detect writes.
 * Text that is not of the declared type at all is `invalid-parameters`, unless `unreadable` says otherwise.
 */
export function parameterReader<Schema extends TObject>(
  schema: Schema,
  code: InvalidCode,
  unreadable: InvalidCode = 'invalid-parameters',
): ReadParameters<Schema> {
  const properties = Object.entries(schema.properties as Record<string, TSchema>);
  const givenNothing: Record<string, unknown> = {};
  /** Made with the first request: a hundred operations would take as long as all the rest of a start. */
  const make = () => {
    const validate = ajv.compile(schema);
    return { validate, needsNothing: validate(givenNothing) };
  };
  let made: ReturnType<typeof make> | undefined;
  return (sent) => {
    made ??= make();
    const { validate, needsNothing } = made;
    if (needsNothing && sent.values.size === 0 && sent.fault === undefined)
      return givenNothing as Static<Schema>;
    if (sent.fault !== undefined) throw new Problem('malformed-request', sent.fault);
    const messages = new Map<string, string[]>();
    const values: Record<string, unknown> = {};
    for (const [name, property] of properties) {
      const value = sent.values.get(name);
      if (value) readValue(name, value, property, values, messages);
    }
    const readable = messages.size === 0;
    if (!validate(values)) collect(validate.errors ?? [], messages);
    if (messages.size === 0) return values as Static<Schema>;
    const fields = Object.fromEntries(messages);
    const text = [...messages].map(([name, [first]]) => `${name}: ${first}`).join('; ');
    throw new Problem(readable ? code : unreadable, text, { fields });
  };
}

interface JsonSchema {
  readonly type?: string;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  /** A list that may also be written as one text with commas. */
  readonly commas?: boolean;
  /** What a value that does not fit the pattern is told. */
  readonly must?: string;
}

function readValue(
  name: string,
  sent: SentValue,
  schema: JsonSchema,
  values: Record<string, unknown>,
  messages: Map<string, string[]>,
): void {
  if ('member' in sent) {
    const { member } = sent;
    const items = schema.commas && typeof member === 'string' ? atCommas(member) : member;
    values[name] = Array.isArray(items) ? enough(items, schema) : items;
    return;
  }
  try {
    values[name] =
      schema.type === 'array'
        ? enough(schema.commas ? sent.text.flatMap(atCommas) : sent.text, schema).map((item) =>
            fromText(item, schema.items ?? {}),
          )
        : fromText(single(sent.text), schema);
  } catch (error) {
    messages.set(name, [(error as Error).message]);
  }
}

/** One more than allowed tells that there are too many; nobody is made to judge a million. */
function enough<Item>(items: readonly Item[], { maxItems }: JsonSchema): readonly Item[] {
  return maxItems === undefined ? items : items.slice(0, maxItems + 1);
}

function atCommas(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
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

/** Errors by the parameter they are about; a parameter that could not be read already has its message. */
function collect(errors: readonly ErrorObject[], messages: Map<string, string[]>): void {
  const unreadable = new Set(messages.keys());
  for (const error of errors) {
    const missing = error.keyword === 'required' && error.instancePath === '';
    const name = missing ? String(error.params['missingProperty']) : (error.instancePath.split('/')[1] ?? '');
    if (unreadable.has(name)) continue;
    const message = missing ? `The ${name} field is required.` : wordsOf(error);
    const known = messages.get(name) ?? [];
    if (!known.includes(message)) messages.set(name, [...known, message]);
  }
}

function wordsOf(error: ErrorObject): string {
  if (error.keyword === 'enum')
    return `must be one of ${(error.params['allowedValues'] as unknown[]).join(', ')}`;
  const { must } = (error.parentSchema ?? {}) as JsonSchema;
  if (error.keyword === 'pattern' && must !== undefined) return must;
  return error.message ?? 'is not valid';
}

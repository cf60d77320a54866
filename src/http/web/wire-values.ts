/** Values that many answers of the web UI have. */
import { Type } from 'typebox';

export const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

/** One of some words; an error names them. */
export function oneOf<const Word extends string>(words: readonly Word[], description?: string) {
  return Type.Unsafe<Word>({ type: 'string', enum: [...words], ...(description ? { description } : {}) });
}

/** An object or null. */
export function nullable<Value>(description?: string) {
  return Type.Unsafe<Value | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    ...(description ? { description } : {}),
  });
}

export const isoTime = (ms: number): string => new Date(ms).toISOString();

export const isoTimeOrNull = (ms: number | undefined): string | null =>
  ms === undefined ? null : isoTime(ms);

/** Parameters that several Detect operations have, and how they are read. */
import { Type } from 'typebox';
import { findInstantMs } from '../../model/instant.ts';
import { fieldProblem } from '../../model/problem.ts';

export function choice<Text extends string>(texts: readonly Text[], description: string) {
  return Type.Unsafe<Text>({ type: 'string', enum: texts, description });
}

/** No list of choices has a use for more. */
const choicesMax = 100;

export function choices<Text extends string>(texts: readonly Text[], description: string) {
  return Type.Optional(
    Type.Array(Type.Unsafe<Text>({ type: 'string', enum: texts }), { maxItems: choicesMax, description }),
  );
}

export const Order = Type.Optional(choice(['asc', 'desc'], 'desc where left out'));

export function offset(offsetMax: number) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: offsetMax, description: '0 where left out' }));
}

export function limit(limitMax: number, description: string) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: limitMax, description }));
}

export function instant(description: string) {
  const forms = 'ISO 8601, in Pacific time where it names no zone, or -N for N seconds ago';
  return Type.Optional(Type.String({ description: `${description}: ${forms}` }));
}

/** Ids of domains on the watchlist. An operation may allow fewer than this. */
const idsMax = 1000;

export const DomainIds = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: idsMax,
  commas: true,
  description: 'ids, also as one text separated by commas',
});

export function readInstant(name: string, text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^-0+$/.test(text.trim()) ? undefined : findInstantMs(text.trim(), nowMs);
  if (ms === undefined) {
    const message = 'must be a time as 2026-03-04T10:00:00Z, or -N for N seconds ago';
    throw fieldProblem('invalid-parameters', name, message);
  }
  return ms;
}

/** Without the members that were left out. */
export function given<Members extends object>(
  members: Members,
): {
  [Name in keyof Members]?: Exclude<Members[Name], undefined>;
} {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof given<Members>
  >;
}

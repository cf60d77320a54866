/** Parameters that several Detect operations share, and how they are read. */
import { Type } from 'typebox';
import { findInstantMs } from '../../../model/instant.ts';
import { fieldProblem } from '../../../model/problem.ts';

export function choice<Text extends string>(texts: readonly Text[], description: string) {
  return Type.Unsafe<Text>({ type: 'string', enum: texts, description });
}

const choicesMax = 100;

export function choices<Text extends string>(texts: readonly Text[], description: string) {
  return Type.Optional(
    Type.Array(Type.Unsafe<Text>({ type: 'string', enum: texts }), { maxItems: choicesMax, description }),
  );
}

export const Order = Type.Optional(choice(['asc', 'desc'], 'by default desc'));

export function offset(offsetMax: number) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: offsetMax, description: 'by default 0' }));
}

export function limit(limitMax: number, description: string) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: limitMax, description }));
}

export function instant(description: string) {
  const forms = 'ISO 8601, in Pacific time if it has no time zone, or -N for N seconds ago';
  return Type.Optional(Type.String({ description: `${description}: ${forms}` }));
}

/** An operation may allow fewer. */
const idsMax = 1000;

export const DomainIds = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: idsMax,
  commas: true,
  description: 'ids of watchlist domains, also as one text separated by commas',
});

export function readInstant(name: string, text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^-0+$/.test(text.trim()) ? undefined : findInstantMs(text.trim(), nowMs);
  if (ms === undefined) {
    const message = 'must be a time such as 2026-03-04T10:00:00Z, or -N for N seconds ago';
    throw fieldProblem('invalid-parameters', name, message);
  }
  return ms;
}

/** Without the members that are undefined. */
export function definedMembers<Members extends object>(
  members: Members,
): {
  [Name in keyof Members]?: Exclude<Members[Name], undefined>;
} {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof definedMembers<Members>
  >;
}

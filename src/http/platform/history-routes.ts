/** The history of a record, beyond the contract: which member changed when, from what, to what, and who said so. */
import { type Static, Type } from 'typebox';
import { findInstantMs } from '../../model/instant.ts';
import { fieldProblem } from '../../model/problem.ts';
import { getDomainName } from '../../product/investigate/asked-domain.ts';
import { type HistoryNeeds, type HistoryPage, listHistory } from '../../product/investigate/history.ts';
import type { Offer } from './offer.ts';

export type HistoryRouteNeeds = HistoryNeeds;

const limitMax = 100;

const HistoryAnswer = Type.Object({
  response: Type.Object({
    domain: Type.String(),
    count: Type.Integer({ description: 'changes in this answer' }),
    has_more_results: Type.Boolean(),
    next_before: Type.Optional(Type.String({ description: 'before, for older changes' })),
    changes: Type.Array(
      Type.Object({
        timestamp: Type.String(),
        field: Type.String({ description: 'a member of the plain record' }),
        before: Type.Unsafe<unknown>({ description: 'null where there was none' }),
        after: Type.Unsafe<unknown>({ description: 'null where there is none any more' }),
        source: Type.String({ description: 'the collector or import that said so' }),
      }),
    ),
  }),
});

export function historyRoutes(offer: Offer, needs: HistoryRouteNeeds): void {
  offer('getDomainHistory', {
    parameters: Type.Object({
      domain: Type.String(),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limitMax,
          default: limitMax,
          description: 'changes in one answer; those of one moment stay together',
        }),
      ),
      before: Type.Optional(Type.String({ description: 'only older changes: ISO 8601, or -N seconds ago' })),
    }),
    answer: HistoryAnswer,
    understand: ({ parameters: { domain, limit = limitMax, before }, nowMs }) => ({
      domain: getDomainName('domain', domain),
      limit,
      beforeMs: before === undefined ? undefined : getInstant(before, nowMs),
    }),
    run: async (_, question) => onWire(question.domain, await listHistory(question, needs)),
  });
}

function getInstant(text: string, nowMs: number): number {
  const ms = findInstantMs(text.trim(), nowMs);
  if (ms === undefined)
    throw fieldProblem('invalid-parameters', 'before', 'must be a time as 2026-03-04T10:00:00Z');
  return ms;
}

function onWire(domain: string, { changes, more }: HistoryPage): Static<typeof HistoryAnswer> {
  const timeOf = (ms: number) => new Date(ms).toISOString();
  const last = changes.at(-1);
  return {
    response: {
      domain,
      count: changes.length,
      has_more_results: more,
      ...(more && last ? { next_before: timeOf(last.atMs) } : {}),
      changes: changes.map(({ field, before, after, atMs, source }) => ({
        timestamp: timeOf(atMs),
        field,
        before: before ?? null,
        after: after ?? null,
        source,
      })),
    },
  };
}

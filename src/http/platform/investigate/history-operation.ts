/** The history of a record, beyond the contract: which field changed when, from what to what, and by which source. */
import { type Static, Type } from 'typebox';
import { findInstantMs } from '../../../model/instant.ts';
import { fieldProblem } from '../../../model/problem.ts';
import { type HistoryNeeds, type HistoryPage, listHistory } from '../../../product/investigate/history.ts';
import { getDomainName } from '../../../product/investigate/requested-domain.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';

const limitMax = 100;

const HistoryResponse = Type.Object({
  response: Type.Object({
    domain: Type.String(),
    count: Type.Integer({ description: 'changes in this response' }),
    has_more_results: Type.Boolean(),
    next_before: Type.Optional(Type.String({ description: 'value of before for the next page' })),
    changes: Type.Array(
      Type.Object({
        timestamp: Type.String(),
        field: Type.String({ description: 'a member of the plain record' }),
        before: Type.Unsafe<unknown>({ description: 'null where the field was not set' }),
        after: Type.Unsafe<unknown>({ description: 'null where the field is no longer set' }),
        source: Type.String({ description: 'the collector or import that observed the change' }),
      }),
    ),
  }),
});

export function historyOperation(needs: HistoryNeeds): Operation {
  return defineOperation({
    id: 'getDomainHistory',
    family: families.investigate,
    route: 'GET /domain-history/',
    product: 'intel-investigate',
    permission: 'read',
    summary: 'What changed in the record of a domain',
    description:
      'Newest first. The next page is requested with `before`, which is `next_before` of this one.',
    parameters: Type.Object({
      domain: Type.String(),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limitMax,
          default: limitMax,
          description: 'changes per response; changes with the same timestamp stay together',
        }),
      ),
      before: Type.Optional(Type.String({ description: 'only older changes: ISO 8601, or -N seconds ago' })),
    }),
    response: HistoryResponse,
    parse: ({ parameters: { domain, limit = limitMax, before }, nowMs }) => ({
      domain: getDomainName('domain', domain),
      limit,
      beforeMs: before === undefined ? undefined : getInstant(before, nowMs),
    }),
    handle: async (_, query) => onWire(query.domain, await listHistory(query, needs)),
  });
}

function getInstant(text: string, nowMs: number): number {
  const ms = findInstantMs(text.trim(), nowMs);
  if (ms === undefined)
    throw fieldProblem('invalid-parameters', 'before', 'must be a time such as 2026-03-04T10:00:00Z');
  return ms;
}

function onWire(domain: string, { changes, more }: HistoryPage): Static<typeof HistoryResponse> {
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

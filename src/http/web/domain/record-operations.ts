/** The record of a domain now or at a time, its history, and a new examination of it. */
import { Type } from 'typebox';
import { perMinute } from '../../../model/account/limit.ts';
import { watchedJobKinds } from '../../../model/detect/watched-jobs.ts';
import { findInstantMs } from '../../../model/instant.ts';
import { fieldProblem } from '../../../model/problem.ts';
import { leafChanges } from '../../../model/record/leaf-changes.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { chargeUsage, usageOwner } from '../../../product/account/product-limits.ts';
import { type EnqueueNeeds, enqueueNow } from '../../../product/detect/enqueue-now.ts';
import { type HistoryNeeds, listHistory } from '../../../product/investigate/history.ts';
import { type RecordAtNeeds, recordAt } from '../../../product/investigate/record-at.ts';
import { getDomainName } from '../../../product/investigate/requested-domain.ts';
import { getScoredDomain } from '../../../product/risk/assess.ts';
import type { FieldChange } from '../../../store/domain-store.ts';
import { type ChargeProductNeeds, chargeProduct } from '../charge-product.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { DomainHistory, DomainRecordAt, RefreshAnswer } from './domain-wire.ts';
import { DomainParams, namesOf } from './overview-operation.ts';

export interface RecordOperationNeeds extends EnqueueNeeds, ChargeProductNeeds {
  readonly domains: RecordAtNeeds['domains'] & HistoryNeeds['domains'];
  readonly settings: Pick<Settings, 'collect' | 'screenshots' | 'limits'>;
}

const changesPerPage = 100;
/** A filter by field reads on until it has found something. */
const pagesMax = 10;
/** Each is a set of connections to somebody else's servers. */
const refreshesPerMinute = 30;

export function recordOperations(needs: RecordOperationNeeds): readonly WebOperation[] {
  return [recordOperation(needs), historyOperation(needs), refreshOperation(needs)];
}

function recordOperation(needs: RecordOperationNeeds): WebOperation {
  return defineWebOperation({
    method: 'GET',
    path: '/domains/:name/record',
    access: 'read',
    product: 'intel-enrich',
    summary: 'The record of a domain, now or at a time, with source and time of each member',
    params: DomainParams,
    query: Type.Object({ as_of: Type.Optional(Type.String({ maxLength: 40 })) }),
    answer: DomainRecordAt,
    handle: async ({ params, query: { as_of }, caller, nowMs }) => {
      const name = getDomainName('name', params.name);
      const asOfMs = as_of === undefined ? undefined : getInstant('as_of', as_of, nowMs);
      await chargeProduct(caller, 'intel-enrich', needs, nowMs);
      const { fields, firstSeenMs, isComplete } = await recordAt(name, asOfMs, needs);
      return {
        ...namesOf(name),
        as_of: timeOrNull(asOfMs),
        known: fields !== undefined,
        first_seen: timeOrNull(firstSeenMs),
        complete: isComplete,
        fields: (fields ?? []).map(({ field, value, source, atMs, changedMs }) => ({
          field,
          value,
          source: source ?? null,
          at: timeOrNull(atMs),
          changed_at: timeOrNull(changedMs),
        })),
      };
    },
  });
}

function historyOperation(needs: RecordOperationNeeds): WebOperation {
  return defineWebOperation({
    method: 'GET',
    path: '/domains/:name/history',
    access: 'read',
    product: 'intel-investigate',
    summary: 'What changed in the record of a domain, leaf by leaf',
    params: DomainParams,
    query: Type.Object({
      before: Type.Optional(Type.String({ maxLength: 40 })),
      field: Type.Optional(Type.String({ maxLength: 100 })),
    }),
    answer: DomainHistory,
    handle: async ({ params, query: { before, field }, caller, nowMs }) => {
      const domain = getDomainName('name', params.name);
      const beforeMs = before === undefined ? undefined : getInstant('before', before, nowMs);
      await chargeProduct(caller, 'intel-investigate', needs, nowMs);
      const { changes, fields, nextMs } = await readHistory({ domain, beforeMs, field }, needs);
      return {
        ...namesOf(domain),
        changes: changes.flatMap(leavesOf),
        fields: [...fields].sort(),
        before: timeOrNull(nextMs),
      };
    },
  });
}

interface HistoryQuery {
  readonly domain: string;
  readonly beforeMs: number | undefined;
  readonly field: string | undefined;
}

async function readHistory({ domain, beforeMs, field }: HistoryQuery, needs: RecordOperationNeeds) {
  const fields = new Set<string>();
  let nextMs = beforeMs;
  for (let page = 0; ; page += 1) {
    const { changes, more } = await listHistory({ domain, beforeMs: nextMs, limit: changesPerPage }, needs);
    for (const change of changes) fields.add(change.field);
    const wanted = field === undefined ? changes : changes.filter((change) => change.field === field);
    nextMs = more ? changes.at(-1)?.atMs : undefined;
    if (wanted.length > 0 || nextMs === undefined || page + 1 >= pagesMax)
      return { changes: wanted, fields, nextMs };
  }
}

function leavesOf({ atMs, source, field, before, after }: FieldChange): DomainHistory['changes'] {
  return leafChanges(before, after).map((leaf) => ({
    at: new Date(atMs).toISOString(),
    source,
    field,
    leaf: leaf.path.join(' '),
    before: leaf.before ?? null,
    after: leaf.after ?? null,
  }));
}

function refreshOperation(needs: RecordOperationNeeds): WebOperation {
  return defineWebOperation({
    method: 'POST',
    path: '/domains/:name/refresh',
    access: 'triage',
    product: 'intel-enrich',
    summary: 'Probes a domain again now, ahead of others',
    params: DomainParams,
    answer: RefreshAnswer,
    handle: async ({ params, caller, nowMs, reply }) => {
      const domain = getScoredDomain('name', params.name);
      const subject = `${usageOwner(caller.account)}/refresh`;
      const limits = [{ ...perMinute(refreshesPerMinute), subject, counted: 'domains probed on request' }];
      await chargeUsage(needs.usage, { limits }, 'intel-enrich', nowMs);
      const { collect, screenshots } = needs.settings;
      const isDone = { collect: collect.collectors.length > 0, screenshot: screenshots.enabled };
      const jobs = watchedJobKinds.filter((kind) => isDone[kind]);
      await enqueueNow([domain], needs, nowMs);
      reply.code(202);
      return { domain: namesOf(domain).domain, queued: jobs.length > 0, jobs: [...jobs] };
    },
  });
}

export function getInstant(field: string, text: string, nowMs: number): number {
  const ms = findInstantMs(text.trim(), nowMs);
  if (ms === undefined)
    throw fieldProblem('invalid-parameters', field, 'must be a time such as 2026-03-04T10:00:00Z');
  return ms;
}

function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined || Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

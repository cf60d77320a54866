/** The watchlist: reading it, and with permission deciding about it. */
import { Type } from 'typebox';
import type { Caller } from '../../../model/account/account.ts';
import { type DomainState, domainStates, type WatchlistDomain } from '../../../model/detect/watchlist.ts';
import { fieldProblem } from '../../../model/problem.ts';
import type { ProductId } from '../../../model/product-catalogue.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { lookalikeRow } from '../../../product/assistant/lookalike-rows.ts';
import type { Detail } from '../../../product/assistant/third-parties.ts';
import { type DecideNeeds, decideDomains } from '../../../product/detect/decisions/decide.ts';
import { type DomainListNeeds, listDomains } from '../../../product/detect/domain-list.ts';
import { explain } from '../../../product/detect/explanation.ts';
import { queryDigest } from '../../../product/detect/query-digest.ts';
import { triageStates } from '../../../product/detect/triage.ts';
import type { DecisionOutcome } from '../../../store/decision-store.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import { fitAnswer, rowsAnswer } from '../answer.ts';
import { type ChargeCallNeeds, chargeCall } from '../charge-call.ts';
import { defineTool, type Tool } from '../tool.ts';
import { timeOf } from './domain-tools.ts';
import { Cursor, choiceOf, input, limitOf, Time } from './inputs.ts';

export interface LookalikeToolNeeds extends DomainListNeeds, DecideNeeds, ChargeCallNeeds {
  readonly monitors: Pick<MonitorStore, 'findMonitor'>;
  readonly settings: DecideNeeds['settings'] & Pick<Settings, 'assistant'>;
}

const productOf: Readonly<Record<DomainState, ProductId>> = {
  new: 'intel-detect-new-domains',
  watched: 'intel-detect-watched-domains',
  ignored: 'intel-detect-ignored-domains',
};

export function lookalikeTools(needs: LookalikeToolNeeds): readonly Tool[] {
  return [listTool(needs), triageTool(needs), blockTool(needs)];
}

function listTool(needs: LookalikeToolNeeds): Tool {
  return defineTool({
    name: 'lookalikes_list',
    title: 'Lookalikes on the watchlist',
    description:
      'Domains that resemble what your account protects, riskiest first: new (not decided yet), watched or ignored. Ids are for triage.',
    input: input({
      state: choiceOf(domainStates, 'new: nobody has decided yet'),
      monitor_id: Type.Optional(Type.String({ maxLength: 40, description: 'only of this monitor' })),
      risk_min: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 100, description: 'only of this score and more' }),
      ),
      discovered_since: Time('only discovered since then'),
      search: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'part of the name' })),
      resolved_by_us: Type.Optional(
        Type.Boolean({ description: 'only those that our own sensors saw resolved, or only the others' }),
      ),
      limit: limitOf(10, 50),
      cursor: Cursor,
    }),
    products: ['intel-detect-new-domains'],
    permission: 'read',
    call: async (given, context) => {
      const { state, monitor_id, risk_min, discovered_since, search, limit = 10, cursor } = given;
      const { resolved_by_us: resolvedByUs } = given;
      const { caller, nowMs } = context;
      const offset = offsetOf(cursor);
      const sinceMs = timeOf('discovered_since', discovered_since);
      const filter = {
        state,
        ...(monitor_id === undefined ? {} : { monitorId: monitor_id }),
        ...(risk_min === undefined ? {} : { riskRanges: [[risk_min, 100] as const] }),
        ...(sinceMs === undefined ? {} : { discoveredSinceMs: sinceMs }),
        ...(resolvedByUs === undefined ? {} : { resolvedByUs }),
        ...(search === undefined ? {} : { search: search.normalize('NFC').toLowerCase() }),
        sort: ['risk_score', 'discovered_date'] as const,
        descending: true,
      };
      await chargeCall(context, { product: productOf[state] }, needs);
      const paging = {
        username: caller.user.username,
        query: `assistant ${queryDigest(filter)}`,
        isFirstPage: offset === 0,
        rowsMax: needs.settings.limits.detect.offsetMax + limit,
        nowMs,
      };
      const { total, domains } = await listDomains(
        caller.account,
        { ...filter, offset, limit },
        { withData: false, paging },
        needs,
      );
      const terms = await termsOf(domains, caller, needs);
      const answer = {
        head: { state, total_count: total },
        name: 'domains',
        rowsIn: (detail: Detail) => domains.map((domain) => lookalikeRow(domain, { terms, explain }, detail)),
      };
      const fitted = fitAnswer(answer, needs.settings.assistant.answerBytesMax);
      const next = offset + fitted.rows.length;
      return {
        data: rowsAnswer(answer, fitted, {
          more: Math.max(0, total - next),
          cursor: next < total && fitted.rows.length > 0 ? String(next) : undefined,
        }),
      };
    },
  });
}

/** By id of their monitor. */
async function termsOf(
  domains: readonly WatchlistDomain[],
  { account }: Caller,
  { monitors }: LookalikeToolNeeds,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(domains.flatMap(({ matches }) => matches[0]?.monitorId ?? []));
  const terms = new Map<string, string>();
  for (const id of ids) {
    const monitor = await monitors.findMonitor(account.id, id);
    if (monitor) terms.set(id, monitor.term);
  }
  return terms;
}

/** Where a page begins. */
export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,9}$/.test(cursor))
    throw fieldProblem('invalid-parameters', 'cursor', 'must be the cursor of an earlier answer');
  return Number(cursor);
}

const Id = Type.String({ pattern: '^[A-Za-z0-9]{1,40}$' });
const Reason = Type.String({
  minLength: 5,
  maxLength: 1000,
  description: 'why, for the audit log and for colleagues',
});

function triageTool(needs: LookalikeToolNeeds): Tool {
  return defineTool({
    name: 'triage',
    title: 'Watch or ignore lookalikes',
    description: 'Moves lookalikes to watched or ignored. Can be undone in the web UI. Ask the person first.',
    input: input({
      ids: Type.Array(Id, { minItems: 1, maxItems: 50, description: 'ids from lookalikes_list' }),
      state: choiceOf(triageStates, 'watched: changes are reported; ignored: never shown again'),
      reason: Reason,
    }),
    products: ['intel-detect-manage-watchlist-domains'],
    permission: 'triage',
    writes: true,
    call: async ({ ids, state: target, reason: note }, context) => {
      const charge = { product: 'intel-detect-manage-watchlist-domains', permission: 'triage' } as const;
      await chargeCall(context, charge, needs);
      const request = { ids, target, note, expected: {} };
      const outcome = await decideDomains(context.caller, request, needs, context.nowMs);
      return { data: outcomeOf(outcome) };
    },
  });
}

function blockTool(needs: LookalikeToolNeeds): Tool {
  return defineTool({
    name: 'escalate_block',
    title: 'Block lookalikes',
    description:
      'Puts lookalikes on the blocklists of your account: resolvers and proxies that read them stop resolving the names for everybody. Ask the person first, naming each domain.',
    input: input({
      ids: Type.Array(Id, { minItems: 1, maxItems: 10, description: 'ids from lookalikes_list' }),
      reason: Reason,
    }),
    products: ['intel-detect-escalate-domains'],
    permission: 'escalate',
    writes: true,
    destructive: true,
    call: async ({ ids, reason: note }, context) => {
      const charge = { product: 'intel-detect-escalate-domains', permission: 'escalate' } as const;
      await chargeCall(context, charge, needs);
      const request = { ids, target: 'blocked' as const, note, expected: {} };
      const outcome = await decideDomains(context.caller, request, needs, context.nowMs);
      const blocklists = 'every blocklist of the account, with the next fetch or transfer of each reader';
      return { data: { ...outcomeOf(outcome, 'blocked'), takes_effect_on: blocklists } };
    },
  });
}

/** `after`: where that is not the list that a domain is on. */
function outcomeOf({ decisionId, changed, refused }: DecisionOutcome, after?: string): object {
  return {
    changed_count: changed.length,
    refused_count: refused.length,
    ...(decisionId === undefined ? {} : { decision_id: decisionId }),
    changed: changed.map(({ id, domain, from, to }) => ({ id, domain, before: from, after: after ?? to })),
    refused: refused.map(({ id, why, state }) => ({ id, why, ...(state === undefined ? {} : { state }) })),
  };
}

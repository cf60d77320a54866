/** Decides about domains one by one: those that cannot be changed are named, the others change. */
import type { Caller } from '../../../model/account/account.ts';
import type { DecisionTarget, WatchlistId } from '../../../model/detect/watchlist.ts';
import { fieldProblem, Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { DecisionOutcome, DecisionStore } from '../../../store/decision-store.ts';
import type { TriageFilter } from '../../../store/triage-store.ts';
import { type EnqueueNeeds, enqueueNow } from '../enqueue-now.ts';
import { noSuchMonitor } from '../monitors.ts';

export interface DecideNeeds extends EnqueueNeeds {
  readonly decisions: Pick<DecisionStore, 'decideDomains' | 'decideMatching'>;
  readonly settings: Pick<Settings, 'limits'>;
}

export interface DecisionRequest {
  readonly target: DecisionTarget;
  readonly note: string | undefined;
}

/** Other writers wait for one transaction. */
const domainsPerTransaction = 250;
/** The response names all of them. */
export const matchingMax = 10_000;
/** Each is a request to a service outside. */
const submissionsMax = 100;
const jobsPerCall = 500;

/** `expected`: by id, the state that the user has seen. */
export async function decideDomains(
  { account, user }: Caller,
  request: DecisionRequest & {
    readonly ids: readonly WatchlistId[];
    readonly expected: Readonly<Record<string, string>>;
  },
  needs: DecideNeeds,
  nowMs: number,
): Promise<DecisionOutcome> {
  const { ids, expected, target } = request;
  if (target === 'external_safe') refuseManySubmissions(new Set(ids).size, 'ids');
  const by = { username: user.username, atMs: nowMs };
  const decision = { ...newDecision(request, needs), expected };
  return enqueueChanged(
    await needs.decisions.decideDomains(account.id, ids, decision, by),
    target,
    needs,
    nowMs,
  );
}

/** `count`: how many domains match, as the user has confirmed. */
export async function decideMatching(
  { account, user }: Caller,
  request: DecisionRequest & { readonly filter: TriageFilter; readonly count: number },
  needs: DecideNeeds,
  nowMs: number,
): Promise<DecisionOutcome> {
  const { filter, count, target } = request;
  if (target === 'external_safe') refuseManySubmissions(count, 'count');
  if (count > matchingMax)
    throw fieldProblem('invalid-parameters', 'count', `must be at most ${matchingMax}; narrow the filter`);
  const by = { username: user.username, atMs: nowMs };
  const decision = { ...newDecision(request, needs), count };
  const outcome = await needs.decisions.decideMatching(account.id, filter, decision, by);
  if (outcome === 'unknown-monitor') throw noSuchMonitor();
  if ('matching' in outcome) {
    const { matching } = outcome;
    const message = `${matching} domains match now, not ${count}. Nothing was changed.`;
    throw new Problem('conflict', message, { members: { matching } });
  }
  return enqueueChanged(outcome, target, needs, nowMs);
}

function refuseManySubmissions(count: number, field: string): void {
  if (count > submissionsMax)
    throw fieldProblem(
      'invalid-parameters',
      field,
      `must not be more than ${submissionsMax} for external_safe`,
    );
}

function newDecision({ target, note }: DecisionRequest, needs: DecideNeeds) {
  return { target, pieceDomains: pieceDomains(target, needs), ...(note === undefined ? {} : { note }) };
}

export function pieceDomains(target: DecisionTarget, { settings }: Pick<DecideNeeds, 'settings'>): number {
  const { detect } = settings.limits;
  if (target === 'blocked') return detect.escalationBlockedDomainsMax;
  return target === 'external_safe' ? detect.escalationExternalSafeDomainsMax : domainsPerTransaction;
}

/** Watched domains are probed immediately. */
async function enqueueChanged(
  outcome: DecisionOutcome,
  target: DecisionTarget,
  needs: DecideNeeds,
  nowMs: number,
): Promise<DecisionOutcome> {
  const names = target === 'ignored' ? [] : outcome.changed.map(({ domain }) => domain);
  for (let from = 0; from < names.length; from += jobsPerCall)
    await enqueueNow(names.slice(from, from + jobsPerCall), needs, nowMs);
  return outcome;
}

/** Escalates domains, all of a request or none. Those of type external_safe wait to be submitted. */
import type { Caller } from '../../model/account/account.ts';
import type { Escalation, EscalationType, WatchlistId } from '../../model/detect/watchlist.ts';
import { fieldProblem, type Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { EscalationObstacle, EscalationStore } from '../../store/escalation-store.ts';
import { type EnqueueNeeds, enqueueNow } from './enqueue-now.ts';
import { noSuchDomains } from './triage.ts';

export interface EscalationNeeds extends EnqueueNeeds {
  readonly escalations: Pick<
    EscalationStore,
    'escalateDomains' | 'findEscalationObstacle' | 'listEscalations'
  >;
}

/** Without duplicates. Throws what `escalate` would throw, before the request is charged. */
export async function getEscalatedIds(
  { account }: Caller,
  ids: readonly WatchlistId[],
  type: EscalationType,
  { escalations, settings }: Pick<EscalationNeeds, 'escalations'> & { readonly settings: Settings },
): Promise<readonly WatchlistId[]> {
  const { detect } = settings.limits;
  const idsMax =
    type === 'blocked' ? detect.escalationBlockedDomainsMax : detect.escalationExternalSafeDomainsMax;
  const wanted = [...new Set(ids)];
  if (wanted.length > idsMax) {
    const message = `must not have more than ${idsMax} domains of type ${type}`;
    throw fieldProblem('invalid-members', 'watchlist_domain_ids', message);
  }
  const refusal = await escalations.findEscalationObstacle(account.id, wanted, type);
  if (refusal) throw problemOf(refusal, type);
  return wanted;
}

function problemOf(refusal: EscalationObstacle, type: EscalationType): Problem {
  if (refusal.outcome === 'unknown-ids') return noSuchDomains(refusal.ids);
  const message = `have been escalated as ${type} before: ${refusal.ids.join(', ')}`;
  return fieldProblem('invalid-members', 'watchlist_domain_ids', message);
}

/** In the order of the ids. */
export async function escalate(
  { account, user }: Caller,
  { ids, type }: { readonly ids: readonly WatchlistId[]; readonly type: EscalationType },
  needs: EscalationNeeds,
  nowMs: number,
): Promise<readonly Escalation[]> {
  const outcome = await needs.escalations.escalateDomains(account.id, ids, type, {
    username: user.username,
    atMs: nowMs,
  });
  if (outcome.outcome !== 'escalated') throw problemOf(outcome, type);
  await enqueueNow(
    outcome.escalations.map(({ domain }) => domain),
    needs,
    nowMs,
  );
  return outcome.escalations;
}

export interface EscalationPage {
  readonly escalations: readonly Escalation[];
  readonly more: boolean;
}

/** Newest first. */
export async function listEscalations(
  accountId: string,
  page: {
    readonly type: EscalationType | undefined;
    readonly beforeId: WatchlistId | undefined;
    readonly limit: number;
  },
  { escalations }: Pick<EscalationNeeds, 'escalations'>,
): Promise<EscalationPage> {
  const { type, beforeId, limit } = page;
  const found = await escalations.listEscalations(accountId, {
    ...(type === undefined ? {} : { type }),
    ...(beforeId === undefined ? {} : { beforeId }),
    limit: limit + 1,
  });
  return { escalations: found.slice(0, limit), more: found.length > limit };
}

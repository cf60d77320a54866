/** Escalating domains: all that are named, or none. Those of type external_safe wait here to be submitted. */
import type { Caller } from '../../model/account.ts';
import type { Escalation, EscalationType, WatchlistId } from '../../model/detect/watchlist.ts';
import { fieldProblem, type Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import type { RefusedEscalation, WatchlistStore } from '../../store/watchlist-store.ts';
import { type LookNeeds, lookAtOnce } from './look-at-once.ts';
import { noSuchDomain } from './triage.ts';

export interface EscalationNeeds extends LookNeeds {
  readonly watchlist: Pick<WatchlistStore, 'escalate' | 'findRefusal' | 'listEscalations'>;
}

/** Each once. What would be refused is refused here, before it counts. */
export async function getEscalatedIds(
  { account }: Caller,
  ids: readonly WatchlistId[],
  type: EscalationType,
  { watchlist, settings }: Pick<EscalationNeeds, 'watchlist'> & { readonly settings: Settings },
): Promise<readonly WatchlistId[]> {
  const { detect } = settings.limits;
  const idsMax =
    type === 'blocked' ? detect.escalationBlockedDomainsMax : detect.escalationExternalSafeDomainsMax;
  const wanted = [...new Set(ids)];
  if (wanted.length > idsMax) {
    const message = `must not have more than ${idsMax} domains of type ${type}`;
    throw fieldProblem('invalid-members', 'watchlist_domain_ids', message);
  }
  const refusal = await watchlist.findRefusal(account.id, wanted, type);
  if (refusal) throw problemOf(refusal, type);
  return wanted;
}

function problemOf(refusal: RefusedEscalation, type: EscalationType): Problem {
  if (refusal.outcome === 'unknown-ids') return noSuchDomain();
  const message = `have been escalated as ${type} before: ${refusal.ids.join(', ')}`;
  return fieldProblem('invalid-members', 'watchlist_domain_ids', message);
}

/** In the order asked for. */
export async function escalate(
  { account, user }: Caller,
  ids: readonly WatchlistId[],
  type: EscalationType,
  needs: EscalationNeeds,
  nowMs: number,
): Promise<readonly Escalation[]> {
  const outcome = await needs.watchlist.escalate(account.id, ids, type, {
    username: user.username,
    atMs: nowMs,
  });
  if (outcome.outcome !== 'escalated') throw problemOf(outcome, type);
  await lookAtOnce(
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
  { watchlist }: Pick<EscalationNeeds, 'watchlist'>,
): Promise<EscalationPage> {
  const { type, beforeId, limit } = page;
  const found = await watchlist.listEscalations(accountId, {
    ...(type === undefined ? {} : { type }),
    ...(beforeId === undefined ? {} : { beforeId }),
    limit: limit + 1,
  });
  return { escalations: found.slice(0, limit), more: found.length > limit };
}

/** Users' decisions about domains: watching, ignoring and escalating them. All that change something are logged. */
import type {
  DecisionTarget,
  DomainState,
  Escalation,
  EscalationType,
  WatchlistDomain,
  WatchlistId,
} from '../../../model/detect/watchlist.ts';
import type { Actor } from '../../decision-store.ts';
import type { EscalationObstacle, EscalationOutcome } from '../../escalation-store.ts';
import type { Transaction } from '../postgres/database.ts';
import type { Statements } from './account-lock.ts';
import { raiseBlocklistVersion } from './blocked-names.ts';
import { logDecision, type OpenDecision, openDecision } from './decision-log.ts';
import { findNumbers, listDomainsOf } from './domain-rows.ts';
import { insertEscalations } from './escalations.ts';
import type { EventSubject } from './event-log.ts';
import { updateMemberships } from './memberships.ts';

/** What became of a domain. */
export interface Decided {
  readonly number: number;
  readonly id: WatchlistId;
  readonly domain: string;
  readonly from: DomainState;
  readonly to: DomainState;
  readonly escalation: Escalation | undefined;
}

interface BeforeRow extends EventSubject {
  readonly assigned_by: string | null;
  readonly assigned_ms: number | null;
  /** As the target says. */
  readonly escalated: boolean;
}

/**
 * Returns the domains that it changes, in the order given. Others are not recorded, and the earlier user stays assigned. Must be called
 * under the lock of the account.
 */
export async function decide(
  sql: Transaction,
  decision: OpenDecision,
  numbers: readonly number[],
): Promise<{ readonly decision: OpenDecision; readonly changed: readonly Decided[] }> {
  const { accountId, target } = decision;
  const to: DomainState = target === 'ignored' ? 'ignored' : 'watched';
  const before = (await readBefore(sql, numbers, target)).filter((row) =>
    target === 'watched' || target === 'ignored' ? row.state !== to : !row.escalated,
  );
  if (before.length === 0) return { decision, changed: [] };
  await setState(
    sql,
    before.filter(({ state }) => state !== to),
    to,
    decision.by,
  );
  const escalations =
    target === 'watched' || target === 'ignored'
      ? []
      : await insertEscalations(
          sql,
          before.map((row) => ({ ...row, state: to })),
          target,
          decision.by,
        );
  if (target === 'blocked') await raiseBlocklistVersion(sql, accountId);
  const logged = await logDecision(sql, decision, before, escalations);
  return {
    decision: logged,
    changed: before.map(({ number, id, name: domain, state: from }, index) => ({
      number,
      id,
      domain,
      from,
      to,
      escalation: escalations[index],
    })),
  };
}

async function readBefore(
  sql: Transaction,
  numbers: readonly number[],
  target: DecisionTarget,
): Promise<readonly BeforeRow[]> {
  const rows = await sql<BeforeRow[]>`
    select number, id, account_id, name, state, assigned_by, assigned_ms,
      exists (select 1 from escalation where domain = watchlist_domain.number and type = ${target}) as escalated
    from watchlist_domain where number = any(${numbers}::bigint[])`;
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return numbers.flatMap((number) => byNumber.get(number) ?? []);
}

async function setState(
  sql: Transaction,
  before: readonly BeforeRow[],
  state: DomainState,
  { username, atMs }: Actor,
): Promise<void> {
  if (before.length === 0) return;
  const numbers = before.map(({ number }) => number);
  await sql`update watchlist_domain set state = ${state}, assigned_by = ${username}, assigned_ms = ${atMs}
    where number = any(${numbers}::bigint[])`;
  await updateMemberships(
    sql,
    numbers.map((number) => ({ number, atMs })),
  );
}

export async function triage(
  sql: Transaction,
  accountId: string,
  { ids, state }: { ids: readonly WatchlistId[]; state: Extract<DomainState, 'watched' | 'ignored'> },
  by: Actor,
): Promise<
  { readonly domains: readonly WatchlistDomain[] } | { readonly unknownIds: readonly WatchlistId[] }
> {
  const found = await findNumbers(sql, accountId, ids);
  if ('unknownIds' in found) return found;
  await decide(sql, openDecision(accountId, state, by), found.numbers);
  return { domains: await listDomainsOf(sql, accountId, found.numbers) };
}

export async function escalate(
  sql: Transaction,
  accountId: string,
  { ids, type }: { ids: readonly WatchlistId[]; type: EscalationType },
  by: Actor,
): Promise<EscalationOutcome> {
  const found = await findEscalatable(sql, accountId, ids, type);
  if ('outcome' in found) return found;
  const { changed } = await decide(sql, openDecision(accountId, type, by), found.numbers);
  return { outcome: 'escalated', escalations: changed.flatMap(({ escalation }) => escalation ?? []) };
}

export async function findEscalatable(
  sql: Statements,
  accountId: string,
  ids: readonly WatchlistId[],
  type: EscalationType,
): Promise<{ readonly numbers: readonly number[] } | EscalationObstacle> {
  const found = await findNumbers(sql, accountId, ids);
  if ('unknownIds' in found) return { outcome: 'unknown-ids', ids: found.unknownIds };
  const rows = await sql<{ id: string }[]>`
    select watchlist_domain.id from escalation join watchlist_domain on watchlist_domain.number = domain
    where domain = any(${found.numbers}::bigint[]) and type = ${type}`;
  if (rows.length === 0) return found;
  const escalated = new Set(rows.map(({ id }) => id));
  return { outcome: 'already-escalated', ids: [...new Set(ids)].filter((id) => escalated.has(id)) };
}

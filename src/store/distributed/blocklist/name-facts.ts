/** What the watchlist, the tags and the allow list say about names, read for many at a time. */
import type { Candidate } from '../../detect/blocklist/candidate.ts';
import type { NameFacts } from '../../detect/blocklist/evaluate-name.ts';
import { namesAbove } from '../../detect/blocklist/reversed-name.ts';
import type { Transaction } from '../postgres/database.ts';
import { findAllowed, findAllowedBelow, hasAllowed } from './allowed-names.ts';

interface CandidateRow {
  readonly name: string;
  readonly state: string | null;
  readonly listed: boolean | null;
  readonly risk_score: number | null;
  readonly blocked: boolean;
  /** JSON, one text for each. */
  readonly monitors: readonly string[];
  readonly tags: readonly string[];
}

export interface LoadedFacts extends NameFacts {
  /** All names whose membership may be asked for or changed when these are evaluated. */
  readonly memberNames: readonly string[];
}

export async function loadFacts(
  sql: Transaction,
  accountId: string,
  names: readonly string[],
): Promise<LoadedFacts> {
  const [allowed, below] = (await hasAllowed(sql, accountId))
    ? await Promise.all([findAllowed(sql, accountId, names), findAllowedBelow(sql, accountId, names)])
    : [new Set<string>(), new Map<string, readonly string[]>()];
  const allowedNames = new Set([...allowed, ...[...below.values()].flat()]);
  const evaluated = [...new Set([...names, ...[...below.values()].flat()])];
  const aboveAllowed = evaluated.filter((name) => allowedNames.has(name)).flatMap(namesAbove);
  const candidates = await loadCandidates(sql, accountId, evaluated);
  return {
    memberNames: [...new Set([...evaluated, ...aboveAllowed])],
    hasAllowed: allowedNames.size > 0,
    candidate: (name) => candidates.get(name) ?? nothingKnown,
    isAllowed: (name) => allowedNames.has(name),
    allowedBelow: (name) => below.get(name) ?? [],
  };
}

const nothingKnown: Candidate = { isBlocked: false, domain: undefined, monitors: [], tags: new Set() };

async function loadCandidates(
  sql: Transaction,
  accountId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, Candidate>> {
  const rows = await sql<CandidateRow[]>`
    select given.name, state, listed, risk_score,
      exists (select 1 from escalation
        where escalation.account_id = ${accountId} and escalation.name = given.name and type = 'blocked') as blocked,
      array(select json_build_object('id', monitor.id, 'term', term)::text
        from monitor_match join monitor on monitor.number = monitor
        where monitor_match.domain = domain.number and named and not monitor.deleted order by monitor.number) as monitors,
      array(select tag from blocklist_tagged as tagged
        where tagged.account_id = ${accountId} and tagged.name = given.name) as tags
    from unnest(${names}::text[]) as given (name)
      left join watchlist_domain as domain on domain.account_id = ${accountId} and domain.name = given.name`;
  return new Map(rows.map((row) => [row.name, candidateOf(row)]));
}

function candidateOf({ state, listed, risk_score, blocked, monitors, tags }: CandidateRow): Candidate {
  return {
    isBlocked: blocked,
    domain:
      state === null ? undefined : { state, isListed: listed === true, riskScore: risk_score ?? undefined },
    monitors: monitors.map((text) => JSON.parse(text) as Candidate['monitors'][number]),
    tags: new Set(tags),
  };
}

/**
 * Whether a domain is on a list. New and ignored domains need an active monitor that does not exclude them; watched domains need a match.
 * A domain without any match is on no list; its row stays, with what was decided about it.
 */
import { isExcluded } from '../../../model/detect/exclusions.ts';
import type { DomainState } from '../../../model/detect/watchlist.ts';
import { parsed, type StoredFlag, type StoredJson } from './stored-json.ts';

export interface MemberRow {
  readonly name: string;
  readonly unicode: string | null;
  readonly state: DomainState;
  readonly name_servers: StoredJson<readonly string[]>;
  readonly listed: StoredFlag;
  /** Whether its discovery had its event. */
  readonly announced: StoredFlag;
}

export interface MatchRow {
  readonly monitor: number;
  readonly excluded: StoredFlag;
  readonly named: StoredFlag;
  /** Of the monitor. */
  readonly active: StoredFlag;
  readonly deleted: StoredFlag;
  readonly nameserver_exclusions: StoredJson<readonly string[]>;
  readonly text_exclusions: StoredJson<readonly string[]>;
}

export interface Membership {
  readonly listed: boolean;
  /** Listed as new for the first time, which is an event. */
  readonly announces: boolean;
  /** Whether the row says something else. */
  readonly isChanged: boolean;
  /** The matches whose row says something else. */
  readonly changedMatches: readonly {
    readonly monitor: number;
    readonly excluded: boolean;
    readonly named: boolean;
  }[];
}

/** Of a domain with at least one match. */
export function membershipOf(domain: MemberRow, matches: readonly MatchRow[]): Membership {
  const names = domain.unicode === null ? [domain.name] : [domain.name, domain.unicode];
  const nameServers = parsed(domain.name_servers);
  const excluded = matches.map((match) => isLeftOut(match, names, nameServers));
  const allExcluded = !excluded.includes(false);
  const changedMatches = matches.flatMap((match, index) => {
    const now = { excluded: excluded[index] === true, named: allExcluded || excluded[index] === false };
    const isSame = Boolean(match.excluded) === now.excluded && Boolean(match.named) === now.named;
    return isSame ? [] : [{ monitor: match.monitor, ...now }];
  });
  const isMatched = matches.some(({ active }, index) => Boolean(active) && !excluded[index]);
  const listed = isMatched || domain.state === 'watched';
  const announces = listed && domain.state === 'new' && !domain.announced;
  return { listed, announces, isChanged: listed !== Boolean(domain.listed) || announces, changedMatches };
}

/** A monitor that is being deleted no longer counts. */
function isLeftOut(match: MatchRow, names: readonly string[], nameServers: readonly string[]): boolean {
  if (match.deleted) return true;
  const exclusions = {
    nameserverExclusions: parsed(match.nameserver_exclusions),
    textExclusions: parsed(match.text_exclusions),
  };
  return isExcluded(exclusions, names, nameServers);
}

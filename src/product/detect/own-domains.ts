/** Domains of the account's own: neither they nor names below them are ever reported. */
import { fieldProblem } from '../../model/problem.ts';
import { inForm } from '../../model/record/text-forms.ts';
import { findRegistrableDomain } from '../../model/registrable-domain.ts';
import type { WatchlistStore } from '../../store/watchlist-store.ts';

export interface OwnDomainNeeds {
  readonly watchlist: Pick<WatchlistStore, 'listOwnDomains' | 'changeOwnDomains'>;
}

export interface OwnDomainChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** All of them are in memory where names are matched. */
const ownDomainsMax = 10_000;

/** In Unicode or punycode, in any letter case. */
export function getOwnDomainChange(add: readonly string[], remove: readonly string[]): OwnDomainChange {
  const change = { add: getNames('add', add), remove: getNames('remove', remove) };
  if (change.add.length + change.remove.length === 0)
    throw fieldProblem('invalid-parameters', 'add', 'must have a domain, or remove must');
  const shared = change.add.find(isShared);
  if (shared !== undefined) {
    const message = `must not have ${shared}, below which anybody can have a domain`;
    throw fieldProblem('invalid-parameters', 'add', message);
  }
  if (change.remove.some((name) => change.add.includes(name)))
    throw fieldProblem('invalid-parameters', 'remove', 'has a domain that is to be added');
  return change;
}

function getNames(field: string, texts: readonly string[]): readonly string[] {
  const names = texts.map((text) => {
    const made = inForm('host', text);
    if (!('text' in made) || made.text === '')
      throw fieldProblem('invalid-parameters', field, 'must be domain names');
    return made.text;
  });
  return [...new Set(names)];
}

/** As one's own it would hide everybody's. */
function isShared(name: string): boolean {
  return findRegistrableDomain(`x.${name}`) === `x.${name}`;
}

export async function changeOwnDomains(
  accountId: string,
  change: OwnDomainChange,
  { watchlist }: OwnDomainNeeds,
): Promise<readonly string[]> {
  const known = new Set(await watchlist.listOwnDomains(accountId));
  for (const name of change.add) known.add(name);
  for (const name of change.remove) known.delete(name);
  if (known.size > ownDomainsMax && change.add.length > 0)
    throw fieldProblem('invalid-parameters', 'add', `must not make more than ${ownDomainsMax} domains`);
  return watchlist.changeOwnDomains(accountId, change);
}

/** The account's own domains: neither they nor names below them are ever reported. */
import { fieldProblem } from '../../model/problem.ts';
import { findRegistrableDomain } from '../../model/registrable-domain.ts';
import type { MonitorStore } from '../../store/monitor-store.ts';
import { getNameListChange, type NameListChange } from './name-list-change.ts';

export interface OwnDomainNeeds {
  readonly monitors: Pick<MonitorStore, 'listOwnDomains' | 'changeOwnDomains'>;
}

/** All are in memory where names are matched. */
const ownDomainsMax = 10_000;

export function getOwnDomainChange(add: readonly string[], remove: readonly string[]): NameListChange {
  const change = getNameListChange(add, remove);
  const shared = change.add.find(isShared);
  if (shared === undefined) return change;
  const message = `must not have ${shared}, below which anyone can register a domain`;
  throw fieldProblem('invalid-parameters', 'add', message);
}

/** A public suffix as an own domain would hide all domains below it. */
function isShared(name: string): boolean {
  return findRegistrableDomain(`x.${name}`) === `x.${name}`;
}

export async function changeOwnDomains(
  accountId: string,
  change: NameListChange,
  { monitors }: OwnDomainNeeds,
): Promise<readonly string[]> {
  const known = new Set(await monitors.listOwnDomains(accountId));
  for (const name of change.add) known.add(name);
  for (const name of change.remove) known.delete(name);
  if (known.size > ownDomainsMax && change.add.length > 0)
    throw fieldProblem('invalid-parameters', 'add', `must not make more than ${ownDomainsMax} domains`);
  return monitors.changeOwnDomains(accountId, change);
}

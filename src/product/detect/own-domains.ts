/** The account's own domains: neither they nor names below them are ever reported. */
import { fieldProblem } from '../../model/problem.ts';
import { normaliseText } from '../../model/record/normalise-text.ts';
import { findRegistrableDomain } from '../../model/registrable-domain.ts';
import type { MonitorStore } from '../../store/monitor-store.ts';

export interface OwnDomainNeeds {
  readonly monitors: Pick<MonitorStore, 'listOwnDomains' | 'changeOwnDomains'>;
}

export interface OwnDomainChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** All are in memory where names are matched. */
const ownDomainsMax = 10_000;

/** In Unicode or punycode, in any letter case. */
export function getOwnDomainChange(add: readonly string[], remove: readonly string[]): OwnDomainChange {
  const change = { add: getNames('add', add), remove: getNames('remove', remove) };
  if (change.add.length + change.remove.length === 0)
    throw fieldProblem('invalid-parameters', 'add', 'must have a domain, or remove must');
  const shared = change.add.find(isShared);
  if (shared !== undefined) {
    const message = `must not have ${shared}, below which anyone can register a domain`;
    throw fieldProblem('invalid-parameters', 'add', message);
  }
  if (change.remove.some((name) => change.add.includes(name)))
    throw fieldProblem('invalid-parameters', 'remove', 'has a domain that is to be added');
  return change;
}

function getNames(field: string, texts: readonly string[]): readonly string[] {
  const names = texts.map((text) => {
    const made = normaliseText('host', text);
    if (!('text' in made) || made.text === '')
      throw fieldProblem('invalid-parameters', field, 'must be domain names');
    return made.text;
  });
  return [...new Set(names)];
}

/** A public suffix as an own domain would hide all domains below it. */
function isShared(name: string): boolean {
  return findRegistrableDomain(`x.${name}`) === `x.${name}`;
}

export async function changeOwnDomains(
  accountId: string,
  change: OwnDomainChange,
  { monitors }: OwnDomainNeeds,
): Promise<readonly string[]> {
  const known = new Set(await monitors.listOwnDomains(accountId));
  for (const name of change.add) known.add(name);
  for (const name of change.remove) known.delete(name);
  if (known.size > ownDomainsMax && change.add.length > 0)
    throw fieldProblem('invalid-parameters', 'add', `must not make more than ${ownDomainsMax} domains`);
  return monitors.changeOwnDomains(accountId, change);
}

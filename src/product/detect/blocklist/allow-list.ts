/** The allow list of an account: neither its names nor names below them are on any of its blocklists. */
import type { Caller } from '../../../model/account/account.ts';
import { fieldProblem } from '../../../model/problem.ts';
import { normaliseText } from '../../../model/record/normalise-text.ts';
import type { AccountStore } from '../../../store/account-store.ts';
import type { AllowedName, BlocklistStore } from '../../../store/detect/blocklist-store.ts';

export interface AllowListNeeds {
  readonly blocklists: Pick<BlocklistStore, 'listAllowed' | 'changeAllowed' | 'refreshSelections'>;
  readonly accounts: Pick<AccountStore, 'appendAudit'>;
}

export interface AllowListChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

const allowedMax = 10_000;

/** In Unicode or punycode, in any letter case. */
export function getAllowListChange(add: readonly string[], remove: readonly string[]): AllowListChange {
  const change = { add: getNames('add', add), remove: getNames('remove', remove) };
  if (change.add.length + change.remove.length === 0)
    throw fieldProblem('invalid-parameters', 'add', 'must have a domain, or remove must');
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

export async function changeAllowList(
  { account, user }: Caller,
  change: AllowListChange,
  { blocklists, accounts }: AllowListNeeds,
  nowMs: number,
): Promise<readonly AllowedName[]> {
  const before = new Set((await blocklists.listAllowed(account.id)).map(({ name }) => name));
  const add = change.add.filter((name) => !before.has(name));
  const remove = change.remove.filter((name) => before.has(name));
  if (add.length > 0 && before.size + add.length - remove.length > allowedMax)
    throw fieldProblem('invalid-parameters', 'add', `must not make more than ${allowedMax} domains`);
  if (add.length + remove.length > 0) {
    const by = { username: user.username, atMs: nowMs };
    await blocklists.changeAllowed(account.id, { add, remove }, by);
    await accounts.appendAudit(
      { action: 'blocklist.allow', account: account.name, detail: auditDetail({ add, remove }) },
      { actor: user.username, atMs: nowMs },
    );
    await blocklists.refreshSelections(account.id, nowMs);
  }
  return blocklists.listAllowed(account.id);
}

/** An entry of the audit log stays readable, however many names there were. */
const auditedNamesMax = 100;

function auditDetail({ add, remove }: AllowListChange): Readonly<Record<string, unknown>> {
  return {
    added: add.length,
    removed: remove.length,
    add: add.slice(0, auditedNamesMax),
    remove: remove.slice(0, auditedNamesMax),
  };
}

/** The allow list of an account: neither its names nor names below them are on any of its blocklists. */
import type { Caller } from '../../../model/account/account.ts';
import { fieldProblem } from '../../../model/problem.ts';
import type { AccountStore } from '../../../store/account-store.ts';
import type { AllowedName, BlocklistStore } from '../../../store/detect/blocklist-store.ts';
import type { NameListChange } from '../name-list-change.ts';

export interface AllowListNeeds {
  readonly blocklists: Pick<BlocklistStore, 'listAllowed' | 'changeAllowed' | 'refreshSelections'>;
  readonly accounts: Pick<AccountStore, 'appendAudit'>;
}

const allowedMax = 10_000;

export async function changeAllowList(
  { account, user }: Caller,
  change: NameListChange,
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

function auditDetail({ add, remove }: NameListChange): Readonly<Record<string, unknown>> {
  return {
    added: add.length,
    removed: remove.length,
    add: add.slice(0, auditedNamesMax),
    remove: remove.slice(0, auditedNamesMax),
  };
}

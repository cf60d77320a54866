/** Creates, changes and deletes the blocklists that an account has besides `blocked`. */
import type { Caller } from '../../../model/account/account.ts';
import {
  blockedSelection,
  type SelectionRules,
  selectionNamePattern,
} from '../../../model/detect/blocklist/selection.ts';
import { fieldProblem, Problem } from '../../../model/problem.ts';
import type { AccountStore } from '../../../store/account-store.ts';
import type { BlocklistSelection, BlocklistStore } from '../../../store/detect/blocklist-store.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import { refreshSoon } from './refresh-soon.ts';
import type { SelectedTags } from './selected-tags.ts';

export interface SelectionNeeds {
  readonly blocklists: Pick<
    BlocklistStore,
    'listSelections' | 'findSelection' | 'putSelection' | 'deleteSelection' | 'refreshSelections'
  >;
  readonly selectedTags: SelectedTags;
  readonly monitors: Pick<MonitorStore, 'findMonitor'>;
  readonly accounts: Pick<AccountStore, 'appendAudit'>;
}

export interface SelectionRequest {
  readonly name: string;
  readonly rules: SelectionRules;
}

/** Each is evaluated for every domain that changes. */
const selectionsMax = 50;

/** Refuses what cannot be stored. */
export async function getSelectionRequest(
  { account }: Caller,
  { name, rules }: SelectionRequest,
  { blocklists, monitors }: SelectionNeeds,
): Promise<SelectionRequest> {
  if (!new RegExp(selectionNamePattern).test(name))
    throw invalid(
      'name',
      'must have 1 to 40 lower-case letters, digits and hyphens, no hyphen at either end',
    );
  if (name === blockedSelection)
    throw invalid('name', `must not be ${blockedSelection}, which every account has as it is`);
  if (!rules.blocked && rules.newScoreMin === undefined && rules.tags.length === 0)
    throw invalid('blocked', 'must be true, or new_score_min or tags must be given');
  for (const id of rules.monitorIds)
    if (!(await monitors.findMonitor(account.id, id)))
      throw invalid('monitor_ids', `has ${JSON.stringify(id)}, and there is no such monitor`);
  const selections = await blocklists.listSelections(account.id);
  if (selections.length >= selectionsMax && !selections.some((one) => one.name === name))
    throw invalid('name', `cannot be added: there are ${selectionsMax} blocklists already`);
  return { name, rules };
}

export async function putSelection(
  { account, user }: Caller,
  { name, rules }: SelectionRequest,
  { blocklists, selectedTags, accounts }: SelectionNeeds,
  nowMs: number,
): Promise<BlocklistSelection> {
  const key = { accountId: account.id, selection: name };
  await blocklists.putSelection(key, rules, { username: user.username, atMs: nowMs });
  await accounts.appendAudit(
    { action: 'blocklist.select', account: account.name, detail: { selection: name, ...rules } },
    { actor: user.username, atMs: nowMs },
  );
  await selectedTags.sync(nowMs, account.id);
  await refreshSoon(blocklists, account.id, nowMs);
  const made = await blocklists.findSelection(key);
  if (!made) throw noSuchSelection(name);
  return made;
}

export async function deleteSelection(
  { account, user }: Caller,
  name: string,
  { blocklists, accounts }: Pick<SelectionNeeds, 'blocklists' | 'accounts'>,
  nowMs: number,
): Promise<void> {
  if (name === blockedSelection)
    throw invalid('name', `must not be ${blockedSelection}, which always exists`);
  const isDeleted = await blocklists.deleteSelection({ accountId: account.id, selection: name });
  if (!isDeleted) throw noSuchSelection(name);
  await accounts.appendAudit(
    { action: 'blocklist.delete', account: account.name, detail: { selection: name } },
    { actor: user.username, atMs: nowMs },
  );
}

/** The blocklists as they are now. */
export async function listSelections(
  accountId: string,
  { blocklists, selectedTags }: Pick<SelectionNeeds, 'blocklists' | 'selectedTags'>,
  nowMs: number,
): Promise<readonly BlocklistSelection[]> {
  await selectedTags.sync(nowMs, accountId);
  await refreshSoon(blocklists, accountId, nowMs);
  return blocklists.listSelections(accountId);
}

export function noSuchSelection(name: string): Problem {
  return new Problem('not-found', `There is no blocklist ${name}.`);
}

function invalid(field: string, message: string): Problem {
  return fieldProblem('invalid-parameters', field, message);
}

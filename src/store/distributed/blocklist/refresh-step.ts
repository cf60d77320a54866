/**
 * Brings selections up to date: evaluates the names that triggers have noted, and all names of a selection whose rules have changed, in short
 * transactions. A version is published when all of it is written, so a change of any size becomes visible at once.
 */
import { evaluateName } from '../../detect/blocklist/evaluate-name.ts';
import { isAlive, type SelectionRow } from '../../detect/blocklist/selection-state.ts';
import type { Transaction } from '../postgres/database.ts';
import { loadMembers } from './draft-members.ts';
import { loadFacts } from './name-facts.ts';
import { ensureBlocked, listSelections, putFilled } from './selection-rows.ts';
import { pruneMembers, publishVersions } from './versions.ts';

/** Of one transaction: other writers of the account wait some milliseconds for it. */
const namesPerStep = 250;
const prunedPerStep = 1000;

/** Whether there may be more to do. Must be called under the lock of the account. */
export async function refreshStep(sql: Transaction, accountId: string, nowMs: number): Promise<boolean> {
  await ensureBlocked(sql, accountId, nowMs);
  const [all, noted] = await Promise.all([listSelections(sql, accountId), removeNoted(sql, accountId)]);
  const selections = all.filter(isAlive);
  // What was noted goes before what is new: a block does not wait for a selection of a million names.
  const isFull = noted.length === namesPerStep;
  const filling = isFull ? undefined : selections.find(({ filled }) => filled !== null);
  const filled = filling ? await namesToFill(sql, accountId, filling) : [];
  const names = [...new Set([...noted, ...filled])];
  if (names.length > 0) {
    const facts = await loadFacts(sql, accountId, names);
    const members = await loadMembers(sql, selections, facts.memberNames, nowMs);
    for (const name of noted) evaluateName(selections, name, facts, members);
    if (filling) for (const name of filled) evaluateName([filling], name, facts, members);
    await members.write(sql);
  }
  if (isFull) return true;
  if (filling)
    await putFilled(sql, filling.number, filled.length < namesPerStep ? null : (filled.at(-1) ?? null));
  await publishVersions(sql, await listSelections(sql, accountId), nowMs);
  const isPruning = await pruneMembers(sql, selections, prunedPerStep);
  return filling !== undefined || isPruning;
}

async function removeNoted(sql: Transaction, accountId: string): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    delete from blocklist_pending where account_id = ${accountId} and name in (
      select name from blocklist_pending where account_id = ${accountId} order by name limit ${namesPerStep})
    returning name`;
  return rows.map(({ name }) => name);
}

/** The next names that its rules may choose, or that it has. */
async function namesToFill(
  sql: Transaction,
  accountId: string,
  { number, filled }: SelectionRow,
): Promise<readonly string[]> {
  const after = filled ?? '';
  const rows = await sql<{ name: string }[]>`
    (select name from watchlist_domain where account_id = ${accountId} and name > ${after} order by name limit ${namesPerStep})
    union
    (select distinct name from blocklist_tagged where account_id = ${accountId} and name > ${after} order by name limit ${namesPerStep})
    union
    (select distinct name from blocklist_member
      where selection = ${number} and name > ${after} and removed is null order by name limit ${namesPerStep})
    order by name limit ${namesPerStep}`;
  return rows.map(({ name }) => name);
}

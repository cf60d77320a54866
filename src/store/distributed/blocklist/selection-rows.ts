/** Rows of `blocklist_selection`. Those that write must be called under the lock of the account. */
import {
  blockedRules,
  blockedSelection,
  type SelectionRules,
} from '../../../model/detect/blocklist/selection.ts';
import { isWide, noRules, type SelectionRow } from '../../detect/blocklist/selection-state.ts';
import type { BlocklistActor, SelectionKey } from '../../detect/blocklist-store.ts';
import type { Statements } from '../detect/account-lock.ts';
import type { Transaction } from '../postgres/database.ts';

type StoredRow = Omit<SelectionRow, 'rules'> & { readonly rules: string };

export async function findSelection(
  sql: Statements,
  { accountId, selection }: SelectionKey,
): Promise<SelectionRow | undefined> {
  const [row] = await sql<StoredRow[]>`
    select * from blocklist_selection where account_id = ${accountId} and name = ${selection} and not deleted`;
  return row && read(row);
}

/** Deleted ones too: their names are removed step by step. */
export async function listSelections(sql: Statements, accountId: string): Promise<readonly SelectionRow[]> {
  const rows = await sql<StoredRow[]>`
    select * from blocklist_selection where account_id = ${accountId} order by name <> ${blockedSelection}, name`;
  return rows.map(read);
}

export function listSerials(
  sql: Statements,
): Promise<readonly (SelectionKey & { readonly serial: number })[]> {
  return sql<(SelectionKey & { readonly serial: number })[]>`
    select account_id as "accountId", name as selection, serial from blocklist_selection
    where not deleted and serial > 0 order by account_id collate "C", name`;
}

export async function listWideRules(
  sql: Statements,
): Promise<readonly { readonly accountId: string; readonly rules: SelectionRules }[]> {
  const rows = await sql<{ account_id: string; rules: string }[]>`
    select account_id, rules from blocklist_selection where wide and not deleted order by account_id collate "C", name`;
  return rows.map(({ account_id, rules }) => ({ accountId: account_id, rules: JSON.parse(rules) }));
}

export async function ensureBlocked(sql: Transaction, accountId: string, nowMs: number): Promise<void> {
  await sql`
    insert into blocklist_selection (account_id, name, rules, wide, created_by, created_ms, filled)
    values (${accountId}, ${blockedSelection}, ${JSON.stringify(blockedRules)}, ${isWide(blockedRules)}, '', ${nowMs}, '')
    on conflict (account_id, name) do nothing`;
}

export async function putSelection(
  sql: Transaction,
  { accountId, selection }: SelectionKey,
  rules: SelectionRules,
  { username, atMs }: BlocklistActor,
): Promise<void> {
  await sql`
    insert into blocklist_selection as old (account_id, name, rules, wide, created_by, created_ms, filled)
    values (${accountId}, ${selection}, ${JSON.stringify(rules)}, ${isWide(rules)}, ${username}, ${atMs}, '')
    on conflict (account_id, name) do update set rules = excluded.rules, wide = excluded.wide, filled = '', deleted = false,
      created_by = case when old.deleted then excluded.created_by else old.created_by end,
      created_ms = case when old.deleted then excluded.created_ms else old.created_ms end`;
}

export async function deleteSelection(
  sql: Transaction,
  { accountId, selection }: SelectionKey,
): Promise<boolean> {
  const { count } = await sql`
    update blocklist_selection set deleted = true, rules = ${JSON.stringify(noRules)}, filled = ''
    where account_id = ${accountId} and name = ${selection} and not deleted`;
  return count === 1;
}

export async function putFilled(sql: Transaction, number: number, name: string | null): Promise<void> {
  await sql`update blocklist_selection set filled = ${name} where number = ${number}`;
}

function read({ rules, ...row }: StoredRow): SelectionRow {
  return { ...row, rules: JSON.parse(rules) as SelectionRules };
}

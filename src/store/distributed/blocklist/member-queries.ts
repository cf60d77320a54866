/** Pages of names of kept versions. */
import type { ListedName, MembershipPeriod } from '../../../model/detect/blocklist/selection.ts';
import type { NamePage, PeriodPage } from '../../detect/blocklist-store.ts';
import type { Transaction } from '../postgres/database.ts';

interface ListedRow {
  readonly name: string;
  readonly kind: ListedName['kind'];
  readonly reason: string;
  readonly since_ms: number;
  readonly www: boolean;
}

interface PeriodRow {
  readonly name: string;
  readonly added: number;
  readonly removed: number | null;
  readonly reason: string;
}

/** An allowed `www.` before a blocked name is below it, and so is itself on the list. */
const columns = (sql: Transaction, serial: number) => sql`
  member.name, kind, reason, since_ms, exists (select 1 from blocklist_member as www
    where www.selection = member.selection and www.name = 'www.' || member.name and www.kind = 'passed'
      and www.added <= ${serial} and (www.removed is null or www.removed > ${serial})) as www`;

const ofPage = (sql: Transaction, selection: number, { after }: NamePage) =>
  sql`selection = ${selection} and kind <> 'left-out' and member.name > ${after}`;

export async function listNames(
  sql: Transaction,
  selection: number,
  serial: number,
  page: NamePage,
): Promise<readonly ListedName[]> {
  const rows = await sql<ListedRow[]>`
    select ${columns(sql, serial)} from blocklist_member as member
    where ${ofPage(sql, selection, page)} and added <= ${serial} and (removed is null or removed > ${serial})
    order by member.name limit ${page.limit}`;
  return rows.map(listedName);
}

export async function listPeriods(
  sql: Transaction,
  selection: number,
  serial: number,
  { after, limit }: PeriodPage,
): Promise<readonly MembershipPeriod[]> {
  const rows = await sql<PeriodRow[]>`
    select name, added, case when removed <= ${serial} then removed end as removed, reason from blocklist_member
    where selection = ${selection} and (name, added) > (${after.name}, ${after.added}::bigint)
      and added <= ${serial} and kind = 'blocked'
    order by name, added limit ${limit}`;
  return rows.map(({ removed, reason, ...row }) => ({
    ...row,
    removed: removed ?? undefined,
    reason: JSON.parse(reason),
  }));
}

export async function listDifference(
  sql: Transaction,
  selection: number,
  { in: serial, notIn: other }: { readonly in: number; readonly notIn: number },
  page: NamePage,
): Promise<readonly ListedName[]> {
  const changed =
    serial < other
      ? sql`removed > ${serial} and removed <= ${other} and added <= ${serial}`
      : sql`added > ${other} and added <= ${serial} and (removed is null or removed > ${serial})`;
  const rows = await sql<ListedRow[]>`
    select ${columns(sql, serial)} from blocklist_member as member
    where ${ofPage(sql, selection, page)} and ${changed}
      and not exists (select 1 from blocklist_member as same
        where same.selection = member.selection and same.name = member.name and same.kind = member.kind
          and same.added <= ${other} and (same.removed is null or same.removed > ${other}))
    order by member.name limit ${page.limit}`;
  return rows.map(listedName);
}

function listedName({ name, kind, reason, since_ms, www }: ListedRow): ListedName {
  return { name, kind, reason: JSON.parse(reason), sinceMs: since_ms, isWwwAllowed: www };
}

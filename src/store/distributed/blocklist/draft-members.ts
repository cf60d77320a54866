/** The names of selections while one transaction changes them: read for many at a time, changed in memory, and written together. */
import type { Members } from '../../detect/blocklist/evaluate-name.ts';
import {
  type Member,
  type MemberKind,
  type Membership,
  memberWrites,
} from '../../detect/blocklist/member-changes.ts';
import { reversedName } from '../../detect/blocklist/reversed-name.ts';
import { draftSerial, type SelectionRow } from '../../detect/blocklist/selection-state.ts';
import type { Transaction } from '../postgres/database.ts';
import { jsonRows } from '../postgres/json-rows.ts';

interface MemberRow {
  readonly selection: number;
  readonly name: string;
  readonly added: number;
  readonly removed: number | null;
  readonly kind: MemberKind;
  readonly since_ms: number;
  /** JSON. */
  readonly reason: string;
}

/** What changes in the row of a selection. */
interface SelectionChange {
  readonly number: number;
  readonly draft: number;
  blocked: number;
  leftOut: number;
}

export class DraftMembers implements Members<SelectionRow> {
  readonly #nowMs: number;
  /** By selection and name: the present row, and the one that the draft has ended. */
  readonly #present = new Map<string, MemberRow>();
  readonly #ended = new Map<string, MemberRow>();
  readonly #changes = new Map<number, SelectionChange>();
  /** Rows as they are to be stored, by their whole key; undefined: not at all. */
  readonly #written = new Map<string, MemberRow | undefined>();

  constructor(rows: readonly MemberRow[], nowMs: number) {
    this.#nowMs = nowMs;
    for (const row of rows)
      (row.removed === null ? this.#present : this.#ended).set(keyOf(row.selection, row.name), row);
  }

  find({ number }: SelectionRow, name: string): Member | undefined {
    return this.#present.get(keyOf(number, name));
  }

  put(
    selection: SelectionRow,
    name: string,
    { before, after }: { readonly before: Member | undefined; readonly after: Membership | undefined },
  ): void {
    const change = this.#changeOf(selection);
    const key = keyOf(selection.number, name);
    const removed = this.#ended.get(key);
    for (const one of memberWrites(change.draft, { before, removed, after })) {
      const present = this.#present.get(key);
      if (one.write === 'insert') this.#add(change, name, one.membership);
      else if (one.write === 'rewrite' && present)
        this.#store({ ...present, kind: one.membership.kind, reason: JSON.stringify(one.membership.reason) });
      else if (one.write === 'delete') this.#forget(selection.number, name, one.added);
      else if (one.write === 'end' && present) this.#store({ ...present, removed: change.draft });
      else if (one.write === 'restore' && removed) this.#store({ ...removed, removed: null });
    }
    change.blocked += Number(after?.kind === 'blocked') - Number(before?.kind === 'blocked');
    change.leftOut += Number(after?.kind === 'left-out') - Number(before?.kind === 'left-out');
  }

  async write(sql: Transaction): Promise<void> {
    const stored = [...this.#written.values()].flatMap((row) => row ?? []);
    const removed = [...this.#written].flatMap(([key, row]) => (row ? [] : [JSON.parse(key)]));
    await sql`
      delete from blocklist_member using json_to_recordset(${jsonRows(removed)}::text::json)
        as old (selection bigint, name text, added bigint)
      where (blocklist_member.selection, blocklist_member.name, blocklist_member.added) = (old.selection, old.name, old.added)`;
    await sql`
      insert into blocklist_member (selection, name, added, removed, kind, reversed, since_ms, reason)
      select selection, name, added, removed, kind, reversed, since_ms, reason
      from json_to_recordset(${jsonRows(stored.map((row) => ({ ...row, reversed: reversedName(row.name) })))}::text::json)
        as new (selection bigint, name text, added bigint, removed bigint, kind text, reversed text, since_ms bigint, reason text)
      on conflict (selection, name, added) do update
        set removed = excluded.removed, kind = excluded.kind, since_ms = excluded.since_ms, reason = excluded.reason`;
    await sql`
      update blocklist_selection set draft = change.draft, blocked = blocklist_selection.blocked + change.blocked,
        left_out = left_out + change."leftOut"
      from json_to_recordset(${jsonRows([...this.#changes.values()])}::text::json)
        as change (number bigint, draft bigint, blocked bigint, "leftOut" bigint)
      where blocklist_selection.number = change.number`;
  }

  #changeOf(selection: SelectionRow): SelectionChange {
    const { number } = selection;
    const change = this.#changes.get(number) ?? {
      number,
      draft: draftSerial(selection, this.#nowMs),
      blocked: 0,
      leftOut: 0,
    };
    this.#changes.set(number, change);
    return change;
  }

  #add({ number, draft }: SelectionChange, name: string, { kind, reason }: Membership): void {
    const row = { selection: number, name, added: draft, removed: null, kind, since_ms: this.#nowMs };
    this.#store({ ...row, reason: JSON.stringify(reason) });
  }

  #store(row: MemberRow): void {
    const key = keyOf(row.selection, row.name);
    const [now, other] = row.removed === null ? [this.#present, this.#ended] : [this.#ended, this.#present];
    now.set(key, row);
    if (other.get(key)?.added === row.added) other.delete(key);
    this.#written.set(rowKeyOf(row), row);
  }

  #forget(selection: number, name: string, added: number): void {
    this.#present.delete(keyOf(selection, name));
    this.#written.set(rowKeyOf({ selection, name, added }), undefined);
  }
}

/** The members that evaluating these names may ask for. */
export async function loadMembers(
  sql: Transaction,
  selections: readonly SelectionRow[],
  names: readonly string[],
  nowMs: number,
): Promise<DraftMembers> {
  // Name by name in the index, however many the selection has: `offset` keeps the planner from another way.
  const rows = await sql<MemberRow[]>`
    select member.* from blocklist_selection as selection, unnest(${names}::text[]) as wanted (name), lateral (
      select selection, name, added, removed, kind, since_ms, reason from blocklist_member
      where selection = selection.number and name = wanted.name and (removed is null or removed = draft) offset 0) as member
    where selection.number = any(${selections.map(({ number }) => number)}::bigint[])`;
  return new DraftMembers(rows, nowMs);
}

const keyOf = (selection: number, name: string) => `${selection} ${name}`;

const rowKeyOf = ({ selection, name, added }: Pick<MemberRow, 'selection' | 'name' | 'added'>) =>
  JSON.stringify({ selection, name, added });

/**
 * Rows of `blocklist_member`, the names of all kept versions of a selection. A draft changes in place what it added itself; to readers it does
 * not exist. Functions that write must be called within a write transaction.
 */
import type { ListedName, MembershipPeriod } from '../../../model/detect/blocklist/selection.ts';
import { type Member, type Membership, memberWrites } from '../../detect/blocklist/member-changes.ts';
import { reversedName } from '../../detect/blocklist/reversed-name.ts';
import type { NamePage, PeriodPage } from '../../detect/blocklist-store.ts';
import type { Database } from '../database.ts';

/** Where a change is written. */
export interface Draft {
  readonly selection: number;
  readonly serial: number;
  readonly atMs: number;
}

const inVersion = (serial: string) => `added <= ${serial} and (removed is null or removed > ${serial})`;

export class MemberRows {
  readonly #present;
  readonly #removedInDraft;
  readonly #restore;
  readonly #insert;
  readonly #end;
  readonly #delete;
  readonly #change;
  readonly #names;
  readonly #listed;
  readonly #removedSince;
  readonly #addedSince;
  readonly #periods;

  constructor(database: Database) {
    const ofName = 'selection = :selection and name = :name';
    this.#present = database.prepare(
      `select added, kind from blocklist_member where ${ofName} and removed is null`,
    );
    this.#removedInDraft = database.prepare(
      `select added, kind from blocklist_member where ${ofName} and removed = :serial`,
    );
    this.#restore = database.prepare(
      `update blocklist_member set removed = null where ${ofName} and added = :added`,
    );
    this.#insert = database.prepare(
      `insert into blocklist_member (selection, name, added, kind, reversed, since_ms, reason)
       values (:selection, :name, :serial, :kind, :reversed, :atMs, :reason)`,
    );
    this.#end = database.prepare(
      `update blocklist_member set removed = :serial where ${ofName} and added = :added`,
    );
    this.#delete = database.prepare(`delete from blocklist_member where ${ofName} and added = :added`);
    this.#change = database.prepare(
      `update blocklist_member set kind = :kind, reason = :reason where ${ofName} and added = :added`,
    );
    this.#names = database
      .prepare(
        `select distinct name from blocklist_member where selection = ? and name > ? and removed is null
         order by name limit ?`,
      )
      .pluck();
    // An allowed `www.` before a blocked name is below it, and so is itself on the list.
    const columns = `name, kind, reason, since_ms, exists (select 1 from blocklist_member as www
      where www.selection = member.selection and www.name = 'www.' || member.name and www.kind = 'passed'
        and www.added <= :serial and (www.removed is null or www.removed > :serial)) as www`;
    const page = `selection = :selection and kind <> 'left-out' and name > :after`;
    this.#listed = database.prepare(
      `select ${columns} from blocklist_member as member where ${page} and ${inVersion(':serial')}
       order by name limit :limit`,
    );
    const lacking = `not exists (select 1 from blocklist_member as other
      where other.selection = member.selection and other.name = member.name and other.kind = member.kind
        and other.added <= :other and (other.removed is null or other.removed > :other))`;
    this.#removedSince = database.prepare(
      `select ${columns} from blocklist_member as member indexed by blocklist_member_removed
       where ${page} and removed > :serial and removed <= :other and added <= :serial and ${lacking}
       order by name limit :limit`,
    );
    this.#addedSince = database.prepare(
      `select ${columns} from blocklist_member as member indexed by blocklist_member_added
       where ${page} and added > :other and ${inVersion(':serial')} and ${lacking} order by name limit :limit`,
    );
    this.#periods = database.prepare(
      `select name, added, iif(removed <= :serial, removed, null) as removed, reason from blocklist_member
       where selection = :selection and (name, added) > (:name, :added) and added <= :serial and kind = 'blocked'
       order by name, added limit :limit`,
    );
  }

  /** Names of the draft, the left-out ones among them. */
  names(selection: number, after: string, limit: number): readonly string[] {
    return this.#names.all(selection, after, limit) as string[];
  }

  find(selection: number, name: string): Member | undefined {
    return this.#present.get({ selection, name }) as Member | undefined;
  }

  /** From what is there now to another kind, or to none. */
  change(
    draft: Draft,
    name: string,
    {
      before,
      after: membership,
    }: { readonly before: Member | undefined; readonly after: Membership | undefined },
  ): void {
    const { selection, serial } = draft;
    const row = { selection, name };
    const removed = this.#removedInDraft.get({ ...row, serial }) as Member | undefined;
    for (const one of memberWrites(serial, { before, removed, after: membership })) {
      if (one.write === 'insert') this.#add(draft, name, one.membership);
      else if (one.write === 'rewrite') this.#rewrite(row, one.added, one.membership);
      else if (one.write === 'end') this.#end.run({ ...row, serial, added: one.added });
      else (one.write === 'delete' ? this.#delete : this.#restore).run({ ...row, added: one.added });
    }
  }

  #add({ selection, serial, atMs }: Draft, name: string, { kind, reason }: Membership): void {
    const reversed = reversedName(name);
    this.#insert.run({ selection, name, serial, kind, reversed, atMs, reason: JSON.stringify(reason) });
  }

  #rewrite(
    row: { readonly selection: number; readonly name: string },
    added: number,
    { kind, reason }: Membership,
  ): void {
    this.#change.run({ ...row, added, kind, reason: JSON.stringify(reason) });
  }

  listNames(selection: number, serial: number, page: NamePage): readonly ListedName[] {
    return this.#listed.all({ selection, serial, ...page }).map(listedName);
  }

  listPeriods(selection: number, serial: number, { after, limit }: PeriodPage): readonly MembershipPeriod[] {
    return this.#periods.all({ selection, serial, ...after, limit }).map(periodOf);
  }

  listDifference(
    selection: number,
    versions: { readonly in: number; readonly notIn: number },
    page: NamePage,
  ): readonly ListedName[] {
    const statement = versions.in < versions.notIn ? this.#removedSince : this.#addedSince;
    const rows = statement.all({ selection, serial: versions.in, other: versions.notIn, ...page });
    return rows.map(listedName);
  }
}

function listedName(row: unknown): ListedName {
  const { name, kind, reason, since_ms, www } = row as {
    name: string;
    kind: ListedName['kind'];
    reason: string;
    since_ms: number;
    www: number;
  };
  return { name, kind, reason: JSON.parse(reason), sinceMs: since_ms, isWwwAllowed: www === 1 };
}

function periodOf(row: unknown): MembershipPeriod {
  const { name, added, removed, reason } = row as {
    name: string;
    added: number;
    removed: number | null;
    reason: string;
  };
  return { name, added, removed: removed ?? undefined, reason: JSON.parse(reason) };
}

/** The kept versions of selections. Functions that write must be called within a write transaction. */
import { versionsMax } from '../../detect/blocklist/selection-state.ts';
import type { Database } from '../database.ts';

const serials = 2 ** 32;

export class Versions {
  readonly #publish;
  readonly #add;
  readonly #trim;
  readonly #oldest;
  readonly #prune;
  readonly #has;
  readonly #find;
  readonly #renew;

  constructor(database: Database) {
    this.#publish = database.prepare(
      'update blocklist_selection set serial = draft, draft = null where number = ? returning serial',
    );
    this.#add = database.prepare('insert into blocklist_version values (?, ?)');
    this.#trim = database.prepare(
      `delete from blocklist_version where selection = :selection and serial <= (
         select serial from blocklist_version where selection = :selection
         order by serial desc limit 1 offset ${versionsMax})`,
    );
    this.#oldest = database.prepare('select min(serial) from blocklist_version where selection = ?').pluck();
    this.#prune = database.prepare(
      `delete from blocklist_member where (selection, name, added) in (
         select selection, name, added from blocklist_member
         where selection = ? and removed is not null and removed <= ? limit ?)`,
    );
    this.#has = database
      .prepare('select 1 from blocklist_version where selection = ? and serial = ?')
      .pluck();
    this.#find = database
      .prepare(
        `select serial from blocklist_version where selection = ? and serial % ${serials} = ?
         order by serial desc limit 1`,
      )
      .pluck();
    this.#renew = database.prepare(
      `update blocklist_selection set draft = max(serial + 1, ?)
       where draft is null and serial > 0`,
    );
  }

  publish(selection: number): void {
    const { serial } = this.#publish.get(selection) as { serial: number };
    this.#add.run(selection, serial);
    this.#trim.run({ selection });
  }

  /** Gives every selection a draft that changes nothing but the serial. */
  renew(nowMs: number): void {
    this.#renew.run(Math.floor(nowMs / 1000));
  }

  /** Deletes names that no kept version has. Whether there may be more. */
  prune(selection: number, limit: number): boolean {
    const oldest = this.#oldest.get(selection) as number | null;
    return oldest !== null && this.#prune.run(selection, oldest, limit).changes === limit;
  }

  has(selection: number, serial: number): boolean {
    return this.#has.get(selection, serial) !== undefined;
  }

  find(selection: number, lowBits: number): number | undefined {
    return this.#find.get(selection, lowBits) as number | undefined;
  }
}

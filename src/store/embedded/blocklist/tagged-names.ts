/** Rows of `blocklist_tagged`: domains with tags that selections name. Functions that write must be called within a write transaction. */
import type { SelectionRules } from '../../../model/detect/blocklist/selection.ts';
import { selectedTags } from '../../detect/blocklist/candidate.ts';
import { foldedText } from '../../domain/value-keys.ts';
import type { Database } from '../database.ts';

export class TaggedNames {
  readonly #rules;
  readonly #put;
  readonly #remove;
  readonly #lastRound;

  constructor(database: Database) {
    this.#rules = database.prepare(
      'select account, rules from blocklist_selection where wide = 1 and deleted = 0 order by account',
    );
    this.#put = database.prepare(
      `insert into blocklist_tagged values (:account, :name, :tag, :round)
       on conflict do update set round = max(round, :round)`,
    );
    this.#remove = database.prepare(
      `delete from blocklist_tagged where (account, name, tag) in (
         select account, name, tag from blocklist_tagged where account = ? and tag = ? and round < ? limit ?)`,
    );
    this.#lastRound = database
      .prepare('select max(round) from blocklist_tagged where account = ? and tag = ?')
      .pluck();
  }

  /** The tags that rules name, each once for each account. */
  listSelected(): readonly { readonly accountId: string; readonly tag: string }[] {
    const rows = this.#rules.all() as { account: string; rules: string }[];
    return selectedTags(
      rows.map(({ account, rules }) => ({ accountId: account, rules: JSON.parse(rules) as SelectionRules })),
    );
  }

  nextRound(account: string, tag: string): number {
    return ((this.#lastRound.get(account, foldedText(tag)) as number | null) ?? 0) + 1;
  }

  put(account: string, tag: string, names: readonly string[], round: number): void {
    for (const name of names) this.#put.run({ account, name, tag: foldedText(tag), round });
  }

  /** Whether there may be more. */
  removeBefore(account: string, tag: string, round: number, limit: number): boolean {
    return this.#remove.run(account, foldedText(tag), round, limit).changes === limit;
  }
}

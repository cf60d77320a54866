/** Tags that users give to domains. */
import type { Condition } from '../../../model/record/condition.ts';
import type { DomainId, DomainStore, Tag } from '../../domain-store.ts';
import type { Database } from '../database.ts';
import { foldedText } from './value-keys.ts';

export interface TagChange {
  readonly domain: string;
  readonly change: Parameters<DomainStore['changeTags']>[1];
  readonly by: Parameters<DomainStore['changeTags']>[2];
}

export class Tagging {
  readonly #id;
  readonly #put;
  readonly #remove;

  constructor(database: Database) {
    this.#id = database.prepare('select id from domain where name = ?').pluck();
    // A tag that is added again keeps its first time.
    this.#put = database.prepare(
      'insert or ignore into tag (account_id, user_id, domain_id, folded, label, tagged_ms) values (?, ?, ?, ?, ?, ?)',
    );
    this.#remove = database.prepare(
      'delete from tag where account_id = ? and user_id = ? and domain_id = ? and folded = ?',
    );
  }

  tag({ domain, change, by }: TagChange): boolean {
    const id = this.#id.get(domain) as DomainId | undefined;
    if (id === undefined) return false;
    const userId = by.scope === 'own' ? by.userId : '';
    for (const label of change.remove) this.#remove.run(by.accountId, userId, id, foldedText(label));
    for (const label of change.add) {
      this.#put.run(by.accountId, userId, id, foldedText(label), label, by.atMs);
    }
    return true;
  }
}

export class TaggedDomains {
  readonly #domains;
  readonly #tags;

  constructor(database: Database) {
    this.#domains = database
      .prepare(
        "select distinct domain_id from tag where account_id = ? and folded = ? and user_id in ('', ?)",
      )
      .pluck();
    this.#tags = database
      .prepare(
        'select label, user_id, tagged_ms from tag join domain on id = domain_id ' +
          "where account_id = ? and name = ? and user_id in ('', ?) order by folded, user_id",
      )
      .raw();
  }

  find({ with: all, labels, accountId, userId }: Extract<Condition, { kind: 'tagged' }>): Iterable<DomainId> {
    const tagged = new Map<DomainId, number>();
    const distinct = new Set(labels.map(foldedText));
    for (const folded of distinct) {
      for (const id of this.#domains.all(accountId, folded, userId) as DomainId[]) {
        tagged.set(id, (tagged.get(id) ?? 0) + 1);
      }
    }
    const required = all === 'all' ? distinct.size : 1;
    return Array.from(tagged).flatMap(([id, count]) => (count >= required ? [id] : []));
  }

  /** The tags that the user may see. */
  tagsOf(domain: string, { accountId, userId }: { accountId: string; userId: string }): readonly Tag[] {
    const rows = this.#tags.all(accountId, domain, userId) as [string, string, number][];
    return rows.map(([label, user, taggedMs]) => ({ label, scope: user === '' ? 'team' : 'own', taggedMs }));
  }
}

/** Adds tags to domains and removes them. */
import { randomInt } from 'node:crypto';
import { type TagId, tagIdsMax, tooManyTags } from '../../../domain/tag-row.ts';
import { type TagAuthor, tagsPerAccountMax } from '../../../domain/tag-store.ts';
import { foldedText } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Database } from '../../database.ts';

export interface TaggingChange {
  readonly domains: readonly string[];
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly by: TagAuthor;
}

export class Tagging {
  readonly #statements;

  constructor(database: Database) {
    const rowsOf = 'account_id = :account_id and domain_id = :domain_id';
    const idsOf = '(tag_id = :tag_id or tag_id in (select id from tag_definition where into_id = :tag_id))';
    this.#statements = {
      domain: database.prepare('select id from domain where name = ?').pluck(),
      named: database.prepare(
        `select id, expires_ms from tag_definition
         where account_id = ? and folded = ? and user_id = ? and into_id is null`,
      ),
      count: database
        .prepare('select count(*) from tag_definition where account_id = ? and into_id is null')
        .pluck(),
      define: database.prepare(
        `insert into tag_definition (id, account_id, user_id, folded, label, created_by, created_ms, used_ms, domains)
         values (:id, :account_id, :user_id, :folded, :label, :created_by, :at_ms, :at_ms, 0)`,
      ),
      end: database.prepare('update tag_definition set into_id = 0 where id = :id or into_id = :id'),
      // A tag that is added again keeps its first time, also one that came by a merge.
      put: database.prepare(
        `insert or ignore into tagged select :account_id, :domain_id, :tag_id,
           coalesce((select min(tagged_ms) from tagged where ${rowsOf} and ${idsOf}), :at_ms)`,
      ),
      used: database.prepare(
        'update tag_definition set domains = domains + :added, used_ms = max(used_ms, :at_ms) where id = :id',
      ),
      rows: database.prepare(`select tag_id from tagged where ${rowsOf} and ${idsOf}`).pluck(),
      remove: database.prepare(`delete from tagged where ${rowsOf} and tag_id = :tag_id`),
      removed: database.prepare('update tag_definition set domains = domains - 1 where id = ?'),
      unused: database
        .prepare(
          `select id from tag_definition where id = :id and domains = 0 and colour = 'grey' and expires_ms is null
             and not exists (select 1 from tag_definition as merged where merged.into_id = :id and merged.domains > 0)`,
        )
        .pluck(),
    };
  }

  /** How many of the domains have a record. */
  change({ domains, add, remove, by }: TaggingChange): number {
    const ids = domains
      .map((name) => this.#statements.domain.get(name) as DomainId | undefined)
      .filter((id) => id !== undefined);
    if (ids.length === 0) return 0;
    for (const label of remove) this.#remove(label, ids, by);
    for (const label of add) this.#add(label, ids, by);
    return ids.length;
  }

  #add(label: string, domains: readonly DomainId[], by: TagAuthor): void {
    const tagId = this.#find(label, by) ?? this.#define(label, by);
    const row = { account_id: by.accountId, tag_id: tagId, at_ms: by.atMs };
    let added = 0;
    for (const domainId of domains)
      added += this.#statements.put.run({ ...row, domain_id: domainId }).changes;
    this.#statements.used.run({ id: tagId, added, at_ms: by.atMs });
  }

  #remove(label: string, domains: readonly DomainId[], by: TagAuthor): void {
    const id = this.#find(label, by);
    if (id === undefined) return;
    for (const domainId of domains) {
      const row = { account_id: by.accountId, domain_id: domainId };
      for (const tagId of this.#statements.rows.all({ ...row, tag_id: id }) as TagId[]) {
        this.#statements.remove.run({ ...row, tag_id: tagId });
        this.#statements.removed.run(tagId);
      }
    }
    if (this.#statements.unused.get({ id }) !== undefined) this.#statements.end.run({ id });
  }

  /** An expired tag gives its label free. */
  #find(label: string, { accountId, userId, scope, atMs }: TagAuthor): TagId | undefined {
    const owner = scope === 'own' ? userId : '';
    const found = this.#statements.named.get(accountId, foldedText(label), owner) as
      | { id: TagId; expires_ms: number | null }
      | undefined;
    if (!found || found.expires_ms === null || found.expires_ms > atMs) return found?.id;
    this.#statements.end.run({ id: found.id });
    return undefined;
  }

  #define(label: string, { accountId, userId, username, scope, atMs }: TagAuthor): TagId {
    if ((this.#statements.count.get(accountId) as number) >= tagsPerAccountMax) throw tooManyTags();
    const id = randomInt(1, tagIdsMax);
    this.#statements.define.run({
      id,
      account_id: accountId,
      user_id: scope === 'own' ? userId : '',
      folded: foldedText(label),
      label,
      created_by: username,
      at_ms: atMs,
    });
    return id;
  }
}

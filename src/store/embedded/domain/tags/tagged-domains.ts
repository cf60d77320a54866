/** Reads of tags: which domains have some, and which tags a domain has. */
import type { Condition } from '../../../../model/record/condition.ts';
import { scopeOf, type TagId, type TagOfDomain, tagOf } from '../../../domain/tag-row.ts';
import type { Tag, TagDefinition, TagOverlap, TagReader } from '../../../domain/tag-store.ts';
import { foldedText } from '../../../domain/value-keys.ts';
import type { DomainId } from '../../../domain-store.ts';
import type { Database } from '../../database.ts';
import { Columns } from '../columns.ts';
import { readerParameters, TagRows, visibleTag } from './tag-rows.ts';

export class TaggedDomains {
  readonly #rows: TagRows;
  readonly #columns: Columns;
  readonly #domains;
  readonly #tags;
  readonly #tagsOfId;
  readonly #names;
  readonly #anyTag;
  readonly #anyTagOf;

  constructor(database: Database) {
    this.#rows = new TagRows(database);
    this.#columns = new Columns(database);
    this.#domains = database
      .prepare('select domain_id from tagged where tag_id = ? order by domain_id')
      .pluck();
    this.#anyTag = database.prepare('select exists (select 1 from tag_definition)').pluck();
    this.#anyTagOf = database
      .prepare('select exists (select 1 from tag_definition where account_id = ? and into_id is null)')
      .pluck();
    this.#names = database.prepare(
      `select domain.id, domain.name from tagged join domain on domain.id = tagged.domain_id
       where tag_id = ? and domain_id > ? order by domain_id limit ?`,
    );
    // A row may still have the id of a tag that was merged into the one that is shown.
    const tagsFrom = `from tagged join tag_definition as kept on kept.id = tagged.tag_id
      join tag_definition on tag_definition.id = coalesce(kept.into_id, kept.id)`;
    this.#tags = database.prepare(
      `select tag_definition.label, tag_definition.user_id, tag_definition.colour, tag_definition.expires_ms,
         min(tagged_ms) as tagged_ms
       ${tagsFrom} join domain on domain.id = tagged.domain_id
       where domain.name = :name and tagged.account_id = :account_id and ${visibleTag}
       group by tag_definition.id order by tag_definition.folded, tag_definition.user_id`,
    );
    this.#tagsOfId = database
      .prepare(
        `select distinct tag_definition.id ${tagsFrom}
         where tagged.domain_id = :domain_id and tagged.account_id = :account_id and ${visibleTag}`,
      )
      .pluck();
  }

  /** Whether anybody has a tag, or had one that is not swept yet. */
  hasTags(): boolean {
    return this.#anyTag.get() === 1;
  }

  find({ with: all, labels, ...reader }: Extract<Condition, { kind: 'tagged' }>): Iterable<DomainId> {
    const tagged = new Map<DomainId, number>();
    const distinct = new Set(labels.map(foldedText));
    for (const label of distinct)
      for (const id of this.#domainsWith(label, reader)) tagged.set(id, (tagged.get(id) ?? 0) + 1);
    const required = all === 'all' ? distinct.size : 1;
    return Array.from(tagged).flatMap(([id, count]) => (count >= required ? [id] : []));
  }

  /** Whether there are tags in the account: most have none, and then no domain need be asked for its tags. */
  accountHasTags({ accountId }: TagReader): boolean {
    return this.#anyTagOf.get(accountId) === 1;
  }

  tagsOf(name: string, reader: TagReader): readonly Tag[] {
    const rows = this.#tags.all({ name, ...readerParameters(reader) }) as TagOfDomain[];
    return rows.map(tagOf);
  }

  list(reader: TagReader, limit: number): readonly TagDefinition[] {
    return this.#rows.list(reader, limit).map((row) => this.#rows.definitionOf(row));
  }

  findDefinition(id: string, reader: TagReader): TagDefinition | undefined {
    const row = this.#rows.find(id, reader);
    return row && this.#rows.definitionOf(row);
  }

  /** Scores are read in the order of ids, which is that of the column. */
  averageRisks(ids: readonly string[]): readonly (number | undefined)[] {
    const scores = this.#columns.reader('risk_score');
    return ids.map((id) => {
      const known = this.#domainsOf(Number(id))
        .map((domain) => scores.numberOf(domain))
        .filter((score) => !Number.isNaN(score));
      return known.length === 0 ? undefined : known.reduce((sum, score) => sum + score, 0) / known.length;
    });
  }

  overlap(
    label: string,
    reader: TagReader,
    { domainsMax, tagsMax }: { readonly domainsMax: number; readonly tagsMax: number },
  ): TagOverlap {
    const same = this.#rows.named(label, reader);
    const domains = this.#domainsWith(label, reader);
    const counts = new Map<TagId, number>();
    for (const domainId of domains.slice(0, domainsMax)) {
      const ids = this.#tagsOfId.all({ domain_id: domainId, ...readerParameters(reader) }) as TagId[];
      for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    for (const { id } of same) counts.delete(id);
    const others = [...counts]
      .map(([id, count]) => ({ row: this.#rows.find(String(id), reader), count }))
      .flatMap(({ row, count }) =>
        row ? [{ label: row.label, scope: scopeOf(row.user_id), colour: row.colour, domains: count }] : [],
      )
      .sort((one, other) => other.domains - one.domains || (one.label < other.label ? -1 : 1));
    return {
      domains: domains.length,
      complete: domains.length <= domainsMax,
      others: others.slice(0, tagsMax),
    };
  }

  /** In the order of ids, across the few ids that a merged tag has. */
  listDomains(
    label: string,
    reader: TagReader,
    { after, limit }: { readonly after: string; readonly limit: number },
  ): { domains: readonly string[]; next: string | undefined } {
    const tagIds = this.#rows.named(label, reader).flatMap(({ id }) => this.#rows.idsOf(id));
    const names = new Map<DomainId, string>();
    for (const tagId of tagIds)
      for (const row of this.#names.all(tagId, Number(after), limit))
        names.set((row as { id: DomainId }).id, (row as { name: string }).name);
    const page = [...names].sort(([one], [other]) => one - other).slice(0, limit);
    const next = page.length === limit ? String(page.at(-1)?.[0]) : undefined;
    return { domains: page.map(([, name]) => name), next };
  }

  #domainsWith(label: string, reader: TagReader): readonly DomainId[] {
    const tags = this.#rows.named(label, reader);
    const [only] = tags;
    if (tags.length === 1 && only) return this.#domainsOf(only.id);
    return [...new Set(tags.flatMap(({ id }) => this.#domainsOf(id)))];
  }

  /** In the order of ids. */
  #domainsOf(tagId: TagId): readonly DomainId[] {
    const ids = this.#rows.idsOf(tagId);
    const domains = ids.flatMap((id) => this.#domains.all(id) as DomainId[]);
    return ids.length === 1 ? domains : [...new Set(domains)].sort((one, other) => one - other);
  }
}

/** The history of records: reads the field changes that upserts have recorded. */
import type { ParsedWhois } from '../../../model/record/domain-record.ts';
import type { DomainId, DomainStore, FieldChange } from '../../domain-store.ts';
import type { Database } from '../database.ts';

type Page = Parameters<DomainStore['listChanges']>[1];

interface Row {
  readonly id: number;
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly atMs: number;
  readonly source: string;
}

/** WHOIS records of a domain that are no longer the latest. */
export class PastWhois {
  readonly #list;

  constructor(database: Database) {
    this.#list = database
      .prepare(
        "select before from change where domain_id = ? and field = 'parsed_whois' and before is not null",
      )
      .pluck();
  }

  of(id: DomainId): readonly ParsedWhois[] {
    return (this.#list.all(id) as string[]).map((text) => JSON.parse(text) as ParsedWhois);
  }
}

export class ChangeHistory {
  readonly #list;

  constructor(database: Database) {
    this.#list = database.prepare(
      'select id, field, before, after, at_ms as atMs, source from change ' +
        'where domain_id = (select id from domain where name = ?) and (at_ms, id) < (?, ?) ' +
        'order by at_ms desc, id desc limit ?',
    );
  }

  list(domain: string, { beforeMs, beforeId = 0, limit }: Page): readonly FieldChange[] {
    const rows = this.#list.all(domain, beforeMs ?? Number.MAX_SAFE_INTEGER, beforeId, limit) as Row[];
    return rows.map(({ before, after, ...row }) => ({
      ...row,
      domain,
      before: before === null ? undefined : JSON.parse(before),
      after: after === null ? undefined : JSON.parse(after),
    }));
  }
}

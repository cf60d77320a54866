/** Domains by name and by id, and their records. */
import type { RecordPart } from '../../../model/record/attributes.ts';
import type { DomainRecord, ParsedWhois } from '../../../model/record/domain-record.ts';
import { bytesOfKeys, type KeysByPart, keysIn } from '../../domain/record-keys.ts';
import type { DomainId } from '../../domain-store.ts';
import type { Sql, Transaction } from '../postgres/database.ts';
import { arrayText } from './array-texts.ts';
import { inBatches } from './in-batches.ts';

/** Records that one statement writes: a few milliseconds of ours. */
const batchRecords = 100;

interface KeyColumns {
  readonly root_keys: Buffer;
  readonly whois_keys: Buffer;
  readonly rdap_keys: Buffer;
}

export interface StoredRow {
  readonly id: DomainId;
  readonly name: string;
  readonly record: string;
  readonly keys: KeysByPart;
}

export interface RecordToStore {
  readonly id: DomainId;
  readonly record: DomainRecord;
  readonly keys: KeysByPart;
}

export const keyColumns: Readonly<Record<RecordPart, keyof KeyColumns>> = {
  root: 'root_keys',
  parsed_whois: 'whois_keys',
  parsed_domain_rdap: 'rdap_keys',
};

type Row = Omit<StoredRow, 'keys'> & KeyColumns;

const storedRow = ({ root_keys, whois_keys, rdap_keys, ...row }: Row): StoredRow => ({
  ...row,
  keys: { root: keysIn(root_keys), parsed_whois: keysIn(whois_keys), parsed_domain_rdap: keysIn(rdap_keys) },
});

export async function findRowsByName(sql: Sql, names: readonly string[]): Promise<readonly StoredRow[]> {
  const rows = await sql<Row[]>`select id, name, record, root_keys, whois_keys, rdap_keys
    from record_domain join record using (id) where name = any(${names}::text[])`;
  return rows.map(storedRow);
}

/** In the order of ids. */
export async function findRowsById(sql: Sql, ids: readonly DomainId[]): Promise<readonly StoredRow[]> {
  const rows = await sql<Row[]>`select id, name, record, root_keys, whois_keys, rdap_keys
    from record_domain join record using (id) where id = any(${ids}::int[]) order by id`;
  return rows.map(storedRow);
}

/** JSON by id. */
export async function findTexts(sql: Sql, ids: readonly DomainId[]): Promise<ReadonlyMap<DomainId, string>> {
  const rows = await sql<{ id: DomainId; record: string }[]>`
    select id, record from record where id = any(${ids}::int[])`;
  return new Map(rows.map(({ id, record }) => [id, record]));
}

/** Of those that have a record. */
export async function findIds(sql: Sql, names: readonly string[]): Promise<ReadonlyMap<string, DomainId>> {
  if (names.length === 0) return new Map();
  const rows = await sql<{ id: DomainId; name: string }[]>`
    select id, name from record_domain where name = any(${names}::text[])`;
  return new Map(rows.map(({ id, name }) => [name, id]));
}

export async function namesOf(sql: Sql, ids: readonly DomainId[]): Promise<ReadonlyMap<DomainId, string>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: DomainId; name: string }[]>`
    select id, name from record_domain where id = any(${arrayText(ids)}::int[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** WHOIS records that are no longer the latest, by domain. */
export async function pastWhoisOf(
  sql: Sql,
  ids: readonly DomainId[],
): Promise<ReadonlyMap<DomainId, readonly ParsedWhois[]>> {
  const rows = await sql<{ id: DomainId; before: string }[]>`
    select domain_id as id, before from record_change
    where domain_id = any(${ids}::int[]) and field = 'parsed_whois' and before is not null`;
  const past = new Map<DomainId, ParsedWhois[]>();
  for (const { id, before } of rows) {
    const whois = JSON.parse(before) as ParsedWhois;
    const known = past.get(id);
    if (known) known.push(whois);
    else past.set(id, [whois]);
  }
  return past;
}

export function putRecords(sql: Transaction, records: readonly RecordToStore[]): Promise<void> {
  return inBatches(records, batchRecords, (some) => {
    const keysOf = (part: RecordPart) => some.map(({ keys }) => bytesOfKeys(keys[part]));
    return sql`insert into record (id, record, root_keys, whois_keys, rdap_keys)
      select * from unnest(${some.map(({ id }) => id)}::int[],
        ${some.map(({ record }) => JSON.stringify(record))}::text[],
        ${keysOf('root')}::bytea[], ${keysOf('parsed_whois')}::bytea[], ${keysOf('parsed_domain_rdap')}::bytea[])
      on conflict (id) do update set record = excluded.record, root_keys = excluded.root_keys,
        whois_keys = excluded.whois_keys, rdap_keys = excluded.rdap_keys`;
  });
}

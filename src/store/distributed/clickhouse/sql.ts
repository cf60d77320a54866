/**
 * SQL for ClickHouse, which only this folder writes: a dialect that all versions from 18.16 understand. Values are whole numbers, or bytes in
 * hexadecimal digits (`unhex`), so nothing in them can end a literal.
 *
 * One table has all rows of passive DNS, by their kind and the keys of `src/store/rrset/segment/keys.ts`. A batch is one block of it, which is
 * there as a whole or not at all, and a row of kind `marker` shows that it is. The table `batch` has what a batch contained, for as long as that
 * is not published or not yet part of what is known.
 */
import type { TypeSelection } from '../../../model/dns/type-selection.ts';
import type { Prefilter } from '../../../model/flex/flex-pattern.ts';
import type { KeyRange } from '../../rrset/scan/key-ranges.ts';
import type { SightingFilter } from '../../rrset-store.ts';
import type { Capabilities } from './capabilities.ts';

/**
 * `seen` has names, and names with a type, that sensors have seen, by the smallest sequence. `domain` has base domains that are known, with
 * the last sighting by sensors in batches that are published; its count is above 0 where there is one.
 */
export const rowKinds = { marker: 0, forward: 1, inverse: 2, distinct: 3, seen: 4, domain: 5 } as const;
export type RowKind = (typeof rowKinds)[keyof typeof rowKinds];

/** Kinds of keys of `seen`, as their first byte. */
export const seenKinds = { owner: 1, ownerType: 2, host: 3 } as const;

export interface Column {
  readonly name: string;
  readonly type: string;
}

export type Aggregate = 'min' | 'max' | 'sum';

/** How aggregates are stored and read. */
export interface Dialect {
  readonly columns: readonly Column[];
  readonly batchColumns: readonly Column[];
  readonly storesStates: boolean;
  readonly merge: (aggregate: Aggregate, column: string) => string;
}

export function dialectOf({ hasSimpleAggregates }: Pick<Capabilities, 'hasSimpleAggregates'>): Dialect {
  const aggregated = hasSimpleAggregates ? 'SimpleAggregateFunction' : 'AggregateFunction';
  const columns = [
    ['kind', 'UInt8'],
    ['key', 'String'],
    ['unit', 'UInt8'],
    ['start', 'UInt32'],
    ['type', 'UInt16'],
    ['labels', 'UInt8'],
    ['bailiwick', 'String'],
    ['text', 'String'],
    ['first', `${aggregated}(min, UInt32)`],
    ['last', `${aggregated}(max, UInt32)`],
    ['count', `${aggregated}(sum, UInt64)`],
    ['seq', `${aggregated}(min, UInt64)`],
  ] as const;
  const batchColumns = [
    ['sequence', 'UInt64'],
    ['kind', 'UInt8'],
    ['key', 'String'],
    ['first', 'UInt32'],
    ['last', 'UInt32'],
    ['count', 'UInt64'],
  ] as const;
  return {
    columns: columns.map(([name, type]) => ({ name, type })),
    batchColumns: batchColumns.map(([name, type]) => ({ name, type })),
    storesStates: !hasSimpleAggregates,
    merge: (aggregate, column) => `${aggregate}${hasSimpleAggregates ? '' : 'Merge'}(${column})`,
  };
}

export function bytesLiteral(bytes: Uint8Array): string {
  return `unhex('${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}')`;
}

function numberLiteral(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} cannot be part of a statement`);
  return String(value);
}

/** A time or a count of a filter, which may have a fraction or be beyond what is stored. */
function boundLiteral(value: number, round: (value: number) => number): string {
  return numberLiteral(round(Math.min(Math.max(value, -1), Number.MAX_SAFE_INTEGER)));
}

export const tables = { rows: 'rrset_row', batch: 'rrset_batch' } as const;

/** Counts saturate at the largest safe integer, as everywhere. */
function countOf(dialect: Dialect): string {
  return `least(${dialect.merge('sum', 'count')}, ${Number.MAX_SAFE_INTEGER})`;
}

export interface KeyQuery {
  readonly kind: RowKind;
  readonly ranges: readonly KeyRange[];
  readonly types: TypeSelection;
  /** The number of labels of the name that the key begins with. */
  readonly labels?: number | undefined;
  readonly bailiwick?: Uint8Array | undefined;
  readonly prefilter?: Prefilter | undefined;
  readonly after?: { readonly key: Uint8Array; readonly isIncluded: boolean } | undefined;
  /** Where all rows are of this owner. */
  readonly owner?: Uint8Array | undefined;
  /** Whether the range is that of one name or one address, and the page its first. */
  readonly isPoint?: boolean;
  readonly limit: number;
  readonly skip?: number;
}

/** Key, first, last and count of each key, in order. */
export function mergedRows(dialect: Dialect, query: KeyQuery, filter: SightingFilter): string {
  return `select key, ${dialect.merge('min', 'first')} as f, ${dialect.merge('max', 'last')} as l, ${countOf(dialect)} as c
    from ${tables.rows} where ${conditionsOf(query)} group by key${havingOf(filter)}
    order by key limit ${numberLiteral(query.skip ?? 0)}, ${numberLiteral(query.limit)} format RowBinary`;
}

/** The same for several ranges, which are in order and apart from each other: the first rows of each. */
export function mergedRowsOfEach(dialect: Dialect, query: KeyQuery, filter: SightingFilter): string {
  const [, ...rest] = query.ranges;
  const range = rest.map(({ from }) => `(key >= ${bytesLiteral(from)})`).join(' + ');
  return `select key, ${dialect.merge('min', 'first')} as f, ${dialect.merge('max', 'last')} as l, ${countOf(dialect)} as c
    from ${tables.rows} where ${conditionsOf(query)} group by key${havingOf(filter)}
    order by key limit ${numberLiteral(query.limit)} by (${range}) format RowBinary`;
}

/** Each key, in order, with unit, first, last and count of its time buckets. */
export function bucketRows(dialect: Dialect, query: KeyQuery): string {
  return `select key, groupArray((unit, f, l, c)) from (
      select key, unit, start, ${dialect.merge('min', 'first')} as f, ${dialect.merge('max', 'last')} as l, ${countOf(dialect)} as c
      from ${tables.rows} where ${conditionsOf(query)} group by key, unit, start)
    group by key order by key limit ${numberLiteral(query.limit)} format RowBinary`;
}

/** Keys in order. */
export function keysInOrder(query: KeyQuery): string {
  return `select distinct key from ${tables.rows} where ${conditionsOf(query)}
    order by key limit ${numberLiteral(query.limit)} format RowBinary`;
}

function conditionsOf(query: KeyQuery): string {
  const { kind, ranges, types, labels, bailiwick, prefilter, after } = query;
  const conditions = [`kind = ${kind}`, `(${ranges.map(rangeCondition).join(' or ')})`];
  if (after) conditions.push(`key ${after.isIncluded ? '>=' : '>'} ${bytesLiteral(after.key)}`);
  if (types !== 'any') conditions.push(typeCondition(types));
  if (labels !== undefined) conditions.push(`labels = ${numberLiteral(labels)}`);
  if (bailiwick) conditions.push(`bailiwick = ${bytesLiteral(bailiwick)}`);
  if (prefilter && prefilter.kind !== 'anything') conditions.push(textCondition(prefilter));
  return conditions.join(' and ');
}

function rangeCondition({ from, upTo }: Pick<KeyRange, 'from' | 'upTo'>): string {
  const past = firstBeyond(upTo);
  return past
    ? `(key >= ${bytesLiteral(from)} and key < ${bytesLiteral(past)})`
    : `(key >= ${bytesLiteral(from)})`;
}

/** The smallest key that is greater than all that begin with the prefix. */
export function firstBeyond(prefix: Uint8Array): Uint8Array | undefined {
  let end = prefix.length;
  while (end > 0 && prefix[end - 1] === 0xff) end -= 1;
  if (end === 0) return undefined;
  const beyond = prefix.slice(0, end);
  beyond[end - 1] = (beyond[end - 1] as number) + 1;
  return beyond;
}

function typeCondition(types: Exclude<TypeSelection, 'any'>): string {
  const isOnly = 'only' in types;
  const list = [...(isOnly ? types.only : types.except)];
  if (list.length === 0) return isOnly ? '0' : '1';
  return `type ${isOnly ? 'in' : 'not in'} (${list.map(numberLiteral).join(', ')})`;
}

function textCondition(prefilter: Prefilter): string {
  switch (prefilter.kind) {
    case 'anything':
      return '1';
    case 'literal':
      return `position(text, ${bytesLiteral(Buffer.from(prefilter.text))}) > 0`;
    default: {
      const joined = prefilter.of.map(textCondition).join(prefilter.kind === 'and' ? ' and ' : ' or ');
      return `(${joined})`;
    }
  }
}

function havingOf({ fences, countMin, countMax }: SightingFilter): string {
  const { firstBefore, firstAfter, lastBefore, lastAfter } = fences;
  const conditions: string[] = [];
  if (firstBefore !== undefined) conditions.push(`f <= ${boundLiteral(firstBefore, Math.floor)}`);
  if (firstAfter !== undefined) conditions.push(`f >= ${boundLiteral(firstAfter, Math.ceil)}`);
  if (lastBefore !== undefined) conditions.push(`l <= ${boundLiteral(lastBefore, Math.floor)}`);
  if (lastAfter !== undefined) conditions.push(`l >= ${boundLiteral(lastAfter, Math.ceil)}`);
  if (countMin !== undefined) conditions.push(`c >= ${boundLiteral(countMin, Math.ceil)}`);
  if (countMax !== undefined) conditions.push(`c <= ${boundLiteral(countMax, Math.floor)}`);
  return conditions.length === 0 ? '' : ` having ${conditions.join(' and ')}`;
}

function listOf(keys: readonly Uint8Array[]): string {
  return keys.map(bytesLiteral).join(', ');
}

export function markerCount(batchId: Uint8Array): string {
  return `select count() from ${tables.rows} where kind = ${rowKinds.marker} and key = ${bytesLiteral(batchId)} format RowBinary`;
}

/** Those of the keys that a batch before this one had. */
export function keysBefore(
  dialect: Dialect,
  kind: RowKind,
  keys: readonly Uint8Array[],
  sequence: number,
): string {
  return `select key from ${tables.rows} where kind = ${kind} and key in (${listOf(keys)})
    group by key having ${dialect.merge('min', 'seq')} < ${numberLiteral(sequence)} format RowBinary`;
}

/** Base domains that are known, each with the last sighting by sensors and whether there was one. */
export function knownDomains(dialect: Dialect, domains: readonly Uint8Array[]): string {
  return `select key, ${dialect.merge('max', 'last')}, toUInt8(${dialect.merge('sum', 'count')} > 0) from ${tables.rows}
    where kind = ${rowKinds.domain} and key in (${listOf(domains)}) group by key format RowBinary`;
}

/** The RRsets of a batch, in order. A block that was inserted twice counts once. */
export function rrsetsOfBatch(sequence: number, after: Uint8Array | undefined, limit: number): string {
  const rest = after ? ` and key > ${bytesLiteral(after)}` : '';
  return `select key, min(first), max(last), max(count) from ${tables.batch}
    where sequence = ${numberLiteral(sequence)} and kind = ${rowKinds.forward}${rest}
    group by key order by key limit ${numberLiteral(limit)} format RowBinary`;
}

/** Base domains of a batch, with the first sighting by sensors of what belongs to them. */
export function domainsOfBatch(sequence: number, domains: readonly Uint8Array[]): string {
  return `select key, min(first) from ${tables.batch} where sequence = ${numberLiteral(sequence)}
    and kind = ${rowKinds.domain} and key in (${listOf(domains)}) group by key format RowBinary`;
}

/** Adds the base domains of batches to what is known. Doing it twice changes nothing. */
export function learnDomains(dialect: Dialect, sequences: readonly number[]): string {
  const state = (aggregate: Aggregate, value: string) =>
    dialect.storesStates ? `${aggregate}State(${value})` : `${aggregate}(${value})`;
  return `insert into ${tables.rows} (kind, key, first, last, count, seq)
    select toUInt8(${rowKinds.domain}), key, ${state('min', 'first')}, ${state('max', 'last')}, ${state('sum', 'count')},
      ${state('min', 'sequence')} from ${tables.batch}
    where kind = ${rowKinds.domain} and sequence in (${sequences.map(numberLiteral).join(', ')}) group by key`;
}

export function dropBatch(sequence: number): string {
  return `alter table ${tables.batch} drop partition ${numberLiteral(sequence)}`;
}

export function insertInto(table: (typeof tables)[keyof typeof tables]): string {
  return `insert into ${table} format Native`;
}

export const compactRows = `optimize table ${tables.rows} final`;

/** How many parts the table has. */
export function partCount(database: string): string {
  return `select count() from system.parts where active and table = '${tables.rows}'
    and database = ${bytesLiteral(Buffer.from(database))} format RowBinary`;
}

/** Reads every byte of one kind of rows, and so verifies the checksums of ClickHouse. */
export function readAll(dialect: Dialect, kind: RowKind): string {
  const plain = dialect.columns.slice(0, 8).map(({ name }) => name);
  const { merge } = dialect;
  return `select count() from (select sum(cityHash64(${plain.join(', ')})), ${merge('min', 'first')}, ${merge('max', 'last')},
    ${merge('sum', 'count')}, ${merge('min', 'seq')} from ${tables.rows} where kind = ${kind}) format RowBinary`;
}

/** Begins the keys of rows that show that all inserts before them are decided. Keys of other markers are as long as a UUID. */
const fenceKey = 'fence';

/** Adds nothing that anybody reads. A number that differs keeps ClickHouse from taking it for a repetition. */
export function insertFence(number: number): string {
  return `insert into ${tables.rows} (kind, key, type) values (${rowKinds.marker}, '${fenceKey}', ${numberLiteral(number)})`;
}

/** Parts that are missing for longer than an insert takes. */
const behindSeconds = 5;

/** Of a replica: how many of our tables it has, whether they lack parts, whether it accepts inserts, and for how long it has been up. */
export function replicaState(database: string): string {
  const names = Object.values(tables).map((name) => `'${name}'`);
  return `select count(), max(inserts_in_queue > 0 and inserts_oldest_time < now() - ${behindSeconds}), max(is_readonly), uptime()
    from system.replicas where database = ${bytesLiteral(Buffer.from(database))} and table in (${names.join(', ')})`;
}

/** How many of our tables a database has. */
export function tablesOf(database: string): string {
  const names = Object.values(tables).map((name) => `'${name}'`);
  return `select count() from system.tables where database = ${bytesLiteral(Buffer.from(database))} and name in (${names.join(', ')})`;
}

/** Compares a table of both sides row by row, in the order of its key. */
import { createHash } from 'node:crypto';
import type { CopiedRow, CopiedValue } from '../store/copy/copied-rows.ts';
import type { TablePlan } from './table-plan.ts';

export interface RowDifferences {
  /** Of the source. */
  readonly rows: number;
  /** Of all compared values of the source. */
  readonly sha256: string;
  readonly differences: readonly string[];
}

/** Named; of more only their number. */
const namedMax = 5;

export async function compareRows(
  { table, pairs }: TablePlan,
  [source, target]: readonly [AsyncIterable<readonly CopiedRow[]>, AsyncIterable<readonly CopiedRow[]>],
  onRows: (rows: number) => void,
): Promise<RowDifferences> {
  const names = pairs.map(({ embedded }) => embedded);
  const keyAt = table.key.map((column) => names.indexOf(column));
  const keyOf = (row: CopiedRow) => keyAt.map((at) => canonical(row[at] as CopiedValue));
  const isCompared = names.map((name) => !table.uncompared?.includes(name));
  const [left, right] = [rowsOf(source), rowsOf(target)];
  const sum = createHash('sha256');
  const differences: string[] = [];
  let [rows, different] = [0, 0];
  const note = (row: CopiedRow, what: string) => {
    different += 1;
    if (different <= namedMax) differences.push(`row ${keyOf(row).map(shown).join(', ')} ${what}`);
  };
  try {
    for (let [one, other] = [await next(left), await next(right)]; one || other; ) {
      const order = !one ? 1 : !other ? -1 : compareKeys(keyOf(one), keyOf(other));
      if (one && order <= 0) {
        rows += 1;
        sum.update(
          `${JSON.stringify(
            one
              .filter((_, at) => isCompared[at])
              .map(canonical)
              .map(shown),
          )}\n`,
        );
        if (rows % 1000 === 0) onRows(rows);
      }
      if (one && order < 0) note(one, 'is missing in the copy');
      if (other && order > 0) note(other, 'is in the copy alone');
      if (one && other && order === 0) {
        const [from, to] = [one, other];
        const column = names.find((_, at) => isCompared[at] && !isSame(from[at], to[at]));
        if (column !== undefined) note(one, `has another ${column}`);
      }
      if (order <= 0) one = await next(left);
      if (order >= 0) other = await next(right);
    }
  } finally {
    await left.return(undefined);
    await right.return(undefined);
  }
  if (different > namedMax) differences.push(`and ${different - namedMax} more rows`);
  return { rows, sha256: sum.digest('hex'), differences };
}

async function* rowsOf(pages: AsyncIterable<readonly CopiedRow[]>): AsyncGenerator<CopiedRow, undefined> {
  for await (const page of pages) yield* page;
  return undefined;
}

async function next(rows: AsyncGenerator<CopiedRow, undefined>): Promise<CopiedRow | undefined> {
  return (await rows.next()).value;
}

/** PostgreSQL has no text with a NUL character, and no order of the members of an object. */
function canonical(value: CopiedValue): CopiedValue {
  if (typeof value !== 'string') return value;
  const text = storable(value);
  if (!text.startsWith('{') || !text.endsWith('}')) return text;
  try {
    return JSON.stringify(inOrder(JSON.parse(text)));
  } catch {
    return text;
  }
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

function inOrder(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}

function isSame(one: CopiedValue | undefined, other: CopiedValue | undefined): boolean {
  if (one === other) return true;
  return shown(canonical(one ?? null)) === shown(canonical(other ?? null));
}

function shown(value: CopiedValue): string {
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : JSON.stringify(value);
}

/** Numbers by value, texts and bytes by their bytes. */
function compareKeys(left: readonly CopiedValue[], right: readonly CopiedValue[]): number {
  for (const [at, one] of left.entries()) {
    const other = right[at] as CopiedValue;
    const order =
      typeof one === 'number' ? one - Number(other) : Buffer.compare(bytesOf(one), bytesOf(other));
    if (order !== 0) return order;
  }
  return 0;
}

function bytesOf(value: CopiedValue): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(String(value));
}

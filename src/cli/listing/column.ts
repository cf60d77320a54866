/** Columns of a listing, and how a field of a row is found by its name. */
import type { Colour } from './colour.ts';

export interface Column<Row> {
  /** What `--fields` and `--sort` call it, and the title in CSV. */
  readonly name: string;
  /** In a table; the name in capitals by default. */
  readonly title?: string;
  readonly value: (row: Row) => unknown;
  readonly colour?: (value: unknown) => Colour | undefined;
  /** Numbers stand at the right. */
  readonly right?: boolean;
  /** Shortened only where nothing else is left to shorten. */
  readonly keep?: boolean;
  /** Not in a table unless `--fields` names it. */
  readonly hidden?: boolean;
}

/** A column whose value is the member of that name. */
export function member<Row>(name: string, more: Partial<Column<Row>> = {}): Column<Row> {
  return { name, value: (row) => memberAt(row, name), ...more };
}

/**
 * The value at a dotted path such as `ip.address`: every one of a list, and the content of values that the API wraps together with a
 * count.
 */
export function memberAt(value: unknown, path: string): unknown {
  const dot = path.indexOf('.');
  const [head, rest] = dot < 0 ? [path, undefined] : [path.slice(0, dot), path.slice(dot + 1)];
  if (Array.isArray(value)) {
    const found = value.map((item) => memberAt(item, path)).filter((item) => item !== undefined);
    return found.length === 0 && value.length > 0 ? undefined : found.flat();
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, head)) return undefined;
  const found = unwrapped((value as Record<string, unknown>)[head]);
  return rest === undefined ? found : memberAt(found, rest);
}

/** `{"value":"x","count":3}` is `x`; an unknown value is absent. */
export function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapped);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'value')) return value;
  const { value: inner, ...others } = value as { value: unknown };
  const isWrapper = Object.keys(others).every((name) => name === 'count');
  return isWrapper ? inner : value;
}

/** A column of that name, or else the members at that path. */
export function columnOf<Row>(name: string, columns: readonly Column<Row>[]): Column<Row> {
  return columns.find((column) => column.name === name) ?? member(name);
}

/** In a table or CSV. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

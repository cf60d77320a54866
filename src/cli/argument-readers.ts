/** Parsers of argument values. Their error messages say what is expected. */
import { InvalidArgumentError } from 'commander';
import { type Permission, permissions } from '../model/account/permission.ts';

/** Lists are separated by spaces or commas: commander splits at spaces, this at commas. */
export function collect<Item>(read: (text: string) => Item) {
  return (text: string, before: readonly Item[] | undefined): Item[] => {
    const items = text.split(',').filter(Boolean).map(read);
    if (items.length === 0) throw new InvalidArgumentError('Expected at least one value.');
    return [...(before ?? []), ...items];
  };
}

export function readWhole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

export function readPositive(text: string): number {
  const number = readWhole(text);
  if (number < 1) throw new InvalidArgumentError('Expected a number of 1 or more.');
  return number;
}

/** The word `default` resets an individual value. */
export function orDefault<Value>(read: (text: string) => Value) {
  return (text: string): Value | 'default' => (text === 'default' ? 'default' : read(text));
}

const lastInstant = Date.UTC(9999, 11, 31);

/** Epoch seconds or ISO 8601; a date without a time means 00:00 UTC. */
export function readInstant(text: string): number {
  const instant = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (text === '' || Number.isNaN(instant) || instant > lastInstant) {
    throw new InvalidArgumentError(
      'Expected epoch seconds or a date such as 2027-01-01 or 2027-01-01T00:00:00Z.',
    );
  }
  return instant;
}

export function readDay(text: string): string {
  const form = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!form) throw new InvalidArgumentError('Expected a date such as 2027-01-31.');
  return text;
}

/** The operator's own label of a data source, as the value of `--source`. */
export function readLabel(text: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._:@/-]{0,63}$/u.test(text)) return text;
  throw new InvalidArgumentError('Expected a name of at most 64 letters, digits and . _ : @ / -');
}

export function readPermission(text: string): Permission {
  const found = permissions.find((permission) => permission === text);
  if (!found) throw new InvalidArgumentError(`Expected one or more of ${permissions.join(', ')}.`);
  return found;
}

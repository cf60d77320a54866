/** From the text of an argument to its value. A refusal says what to write instead. */
import { InvalidArgumentError } from 'commander';

/** Lists are separated by spaces or commas: commander hands over each word, and this splits it further. */
export function collect<Item>(read: (text: string) => Item) {
  return (text: string, before: readonly Item[] | undefined): Item[] => {
    const items = text.split(',').filter(Boolean).map(read);
    if (items.length === 0) throw new InvalidArgumentError('Say at least one.');
    return [...(before ?? []), ...items];
  };
}

export function readWhole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Say a whole number.');
  return Number(text);
}

export function readPositive(text: string): number {
  const number = readWhole(text);
  if (number < 1) throw new InvalidArgumentError('Say a number of 1 or more.');
  return number;
}

/** The word `default` takes a number of one's own away again. */
export function orDefault<Value>(read: (text: string) => Value) {
  return (text: string): Value | 'default' => (text === 'default' ? 'default' : read(text));
}

const lastInstant = Date.UTC(9999, 11, 31);

/** Epoch seconds, or ISO 8601; a date alone is its start in UTC. */
export function readInstant(text: string): number {
  const instant = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (text === '' || Number.isNaN(instant) || instant > lastInstant) {
    throw new InvalidArgumentError('Say epoch seconds or a date such as 2027-01-01 or 2027-01-01T00:00:00Z.');
  }
  return instant;
}

export function readDay(text: string): string {
  const form = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!form) throw new InvalidArgumentError('Say a day as 2027-01-31.');
  return text;
}

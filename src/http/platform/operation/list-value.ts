/**
 * A list of texts in each of its spellings, which may be mixed: repeated (`name=a&name=b`, `name[]=a`), a JSON list, and texts with
 * commas. Empty items do not count.
 */
import type { RawValue } from './raw-parameters.ts';

/** Undefined for a value that is neither text nor a list of texts; null in JSON counts as no items. At most one item more than `itemsMax`. */
export function findList(raw: RawValue, itemsMax = Number.POSITIVE_INFINITY): readonly string[] | undefined {
  const items: string[] = [];
  for (const text of 'text' in raw ? raw.text : textsIn(raw.member)) {
    if (typeof text !== 'string') return undefined;
    addItems(text, itemsMax, items);
  }
  return items;
}

/** What a client is answered where there is no list. */
export const listForm = 'must be text, or a list of texts';

function textsIn(member: unknown): readonly unknown[] {
  if (member === null) return [];
  return Array.isArray(member) ? member : [member];
}

/** Stops at one item too many, which is enough to see that there are too many. */
function addItems(text: string, itemsMax: number, items: string[]): void {
  for (let at = 0; at <= text.length && items.length <= itemsMax; ) {
    const commaAt = text.indexOf(',', at);
    const end = commaAt < 0 ? text.length : commaAt;
    const item = text.slice(at, end).trim();
    if (item !== '') items.push(item);
    at = end + 1;
  }
}

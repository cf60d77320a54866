/** A record as its line: compact JSON with the members in the order of the wire, whatever order the writer had. */
import { type TSchema, Type } from 'typebox';
import { type FeedRecord, feedRecords } from '../feed.ts';
import type { FeedName } from '../product-catalogue.ts';

export function lineOf<Name extends FeedName>(feed: Name, record: FeedRecord<Name>): string {
  return `${textOf(feedRecords[feed], record)}\n`;
}

/** What a schema does not know is left out; a member without a value is too. */
function textOf(schema: TSchema, value: unknown): string {
  if (Type.IsArray(schema) && Array.isArray(value)) {
    return `[${value.map((item) => textOf(schema.items, item)).join(',')}]`;
  }
  if (!Type.IsObject(schema) || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(schema.properties)
    .filter(([name]) => (value as Record<string, unknown>)[name] !== undefined)
    .map(([name, member]) => `"${name}":${textOf(member, (value as Record<string, unknown>)[name])}`);
  return `{${members.join(',')}}`;
}

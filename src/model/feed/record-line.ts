/** Serializes a record to its line: compact JSON with the members in wire order. */
import { type TSchema, Type } from 'typebox';
import type { FeedName } from '../product-catalogue.ts';
import { type FeedRecord, feedRecords } from './feed.ts';

export function lineOf<Name extends FeedName>(feed: Name, record: FeedRecord<Name>): string {
  return `${textOf(feedRecords[feed], record)}\n`;
}

/** Members that are undefined or not in the schema are left out. */
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

/** Serializes a record to its line: compact JSON with the members in wire order. */
import { type TSchema, Type } from 'typebox';
import type { FeedName } from '../product-catalogue.ts';
import { type FeedRecord, feedRecords } from './feed.ts';

export function lineOf<Name extends FeedName>(feed: Name, record: FeedRecord<Name>): string {
  return `${serializerOf(feedRecords[feed])(record)}\n`;
}

type Serializer = (value: unknown) => string;

/** Made once for each schema: records are written by the hundred thousand. */
const serializers = new WeakMap<TSchema, Serializer>();

function serializerOf(schema: TSchema): Serializer {
  const known = serializers.get(schema);
  if (known) return known;
  const made = makeSerializer(schema);
  serializers.set(schema, made);
  return made;
}

function makeSerializer(schema: TSchema): Serializer {
  if (Type.IsArray(schema)) {
    const item = serializerOf(schema.items);
    return (value) =>
      Array.isArray(value) ? `[${value.map((one) => item(one)).join(',')}]` : JSON.stringify(value);
  }
  if (!Type.IsObject(schema)) return (value) => JSON.stringify(value);
  const members = Object.entries(schema.properties).map(
    ([name, member]) => [name, `"${name}":`, serializerOf(member)] as const,
  );
  return (value) => (isObject(value) ? objectText(value, members) : JSON.stringify(value));
}

/** Members that are undefined or not in the schema are left out. */
function objectText(
  value: Readonly<Record<string, unknown>>,
  members: readonly (readonly [name: string, key: string, serialize: Serializer])[],
): string {
  let text = '';
  for (const [name, key, serialize] of members) {
    const member = value[name];
    if (member !== undefined) text += `${text === '' ? '' : ','}${key}${serialize(member)}`;
  }
  return `{${text}}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Schemas of records in responses, derived from the record layout: for the serializer and the OpenAPI description. */
import { type TObject, type TSchema, Type } from 'typebox';
import { type Layout, type Member, recordLayout } from '../../../model/record/record-layout.ts';

/** `counted`: each value with the number of domains that share it. `bare`, as in Enrich: without. */
export type Wrapping = 'counted' | 'bare';

export type WireRecord = Readonly<Record<string, unknown>>;

export function recordSchema(wrapping: Wrapping) {
  // Partial, because the serializer writes required members first and would change the order of the layout.
  const title = wrapping === 'bare' ? 'DomainRecord' : 'CountedDomainRecord';
  return Type.Unsafe<WireRecord>({ ...Type.Partial(membersSchema(recordLayout, wrapping)), title });
}

function membersSchema(layout: Layout, wrapping: Wrapping): TObject {
  return Type.Object(
    Object.fromEntries(layout.map((member) => [member.name, memberSchema(member, wrapping)])),
  );
}

function memberSchema(member: Member, wrapping: Wrapping): TSchema {
  if (member.kind === 'plain') return plainSchemas.get(member.name) ?? typed(member.type);
  if (member.kind === 'own') return wrapped(['string'], wrapping);
  if (member.kind === 'objects') return Type.Array(membersSchema(member.members, wrapping));
  if ('members' in member) {
    const members = membersSchema(member.members, wrapping);
    if (!member.name.endsWith('_contact')) return members;
    return { ...members, title: wrapping === 'bare' ? 'Contact' : 'CountedContact' };
  }
  const type = member.type === 'string' ? ['string'] : [member.type, 'string'];
  if (member.kind === 'values') return Type.Array(wrapped([member.type], wrapping));
  // Either an object or an empty string, which the serializer must write unchanged.
  return member.unknown === 'plain'
    ? Type.Unsafe<unknown>({ description: 'wrapped, or "" if unknown' })
    : wrapped(type, wrapping);
}

function typed(types: readonly string[]): TSchema {
  return Type.Unsafe<unknown>({ type: types.length === 1 ? types[0] : types });
}

function wrapped(types: readonly string[], wrapping: Wrapping): TSchema {
  const value = typed(types);
  const title = `${wrapping === 'bare' ? '' : 'Counted'}${types.map(capitalized).join('Or')}Value`;
  return wrapping === 'bare'
    ? Type.Object({ value }, { title })
    : Type.Object({ value, count: Type.Integer() }, { title });
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

const texts = Type.Array(Type.String());

/** Plain members that are objects or lists. */
const plainSchemas: ReadonlyMap<string, TSchema> = new Map<string, TSchema>([
  ['registrar_status', texts],
  [
    'domain_risk',
    Type.Object({
      risk_score: Type.Integer(),
      components: Type.Array(
        Type.Object({
          name: Type.String(),
          risk_score: Type.Integer(),
          threats: Type.Optional(texts),
          evidence: Type.Optional(texts),
        }),
      ),
    }),
  ],
  ['sources', Type.Object({ active: Type.Optional(Type.Integer()), passive: Type.Optional(Type.Integer()) })],
  ['tags', Type.Array(Type.Object({ label: Type.String(), scope: Type.String(), tagged_at: Type.String() }))],
  ['screenshot', Type.Unsafe<unknown>({ type: 'object', additionalProperties: true })],
]);

/** Schemas of records in answers, made from the layout: the serializer writes by them, and OpenAPI shows them. */
import { type TObject, type TSchema, Type } from 'typebox';
import { type Layout, type Member, recordLayout } from '../../model/record/record-layout.ts';

/** Enrich shows values without counts. */
export type Wrapping = 'counted' | 'bare';

export type WireRecord = Readonly<Record<string, unknown>>;

export function recordSchema(wrapping: Wrapping) {
  // The serializer writes required members before all others, and the order is the layout's.
  return Type.Unsafe<WireRecord>(Type.Partial(membersSchema(recordLayout, wrapping)));
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
  if ('members' in member) return membersSchema(member.members, wrapping);
  const type = member.type === 'string' ? ['string'] : [member.type, 'string'];
  if (member.kind === 'values') return Type.Array(wrapped([member.type], wrapping));
  // Either an object or a bare empty text, which the serializer writes as it is.
  return member.unknown === 'plain'
    ? Type.Unsafe<unknown>({ description: 'wrapped, or ""' })
    : wrapped(type, wrapping);
}

function typed(types: readonly string[]): TSchema {
  return Type.Unsafe<unknown>({ type: types.length === 1 ? types[0] : types });
}

function wrapped(types: readonly string[], wrapping: Wrapping): TSchema {
  const value = typed(types);
  return wrapping === 'bare' ? Type.Object({ value }) : Type.Object({ value, count: Type.Integer() });
}

const texts = Type.Array(Type.String());

/** Plain members that have members of their own. */
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
          evidence: Type.Optional(texts),
          threats: Type.Optional(texts),
        }),
      ),
    }),
  ],
  ['sources', Type.Object({ active: Type.Optional(Type.Integer()), passive: Type.Optional(Type.Integer()) })],
  ['tags', Type.Array(Type.Object({ label: Type.String(), scope: Type.String(), tagged_at: Type.String() }))],
  ['screenshot', Type.Unsafe<unknown>({ type: 'object', additionalProperties: true })],
]);

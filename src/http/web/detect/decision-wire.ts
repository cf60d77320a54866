/** Decisions about domains of a watchlist, and their undoing, as the web UI makes and reads them. */
import { type Static, Type } from 'typebox';
import { type DecisionTarget, decisionTargets } from './domain-wire.ts';
import { TriageFilter } from './filter-wire.ts';

const idsMax = 1000;
const Target = Type.Unsafe<DecisionTarget>({ type: 'string', enum: [...decisionTargets] });
const oneOf = <Text extends string>(texts: readonly Text[]) =>
  Type.Unsafe<Text>({ type: 'string', enum: [...texts] });
const NullablePersonAndTime = Type.Unsafe<{ by: string; at: string } | null>({
  type: ['object', 'null'],
  additionalProperties: true,
});

export const notesCharactersMax = 4000;

/** Either `ids` or `filter` with the `count` that the person confirmed. */
export const DecisionRequest = Type.Object({
  ids: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { minItems: 1, maxItems: idsMax })),
  filter: Type.Optional(TriageFilter),
  count: Type.Optional(
    Type.Integer({ minimum: 0, description: 'required with filter: as many must match, or nothing happens' }),
  ),
  to: Target,
  note: Type.Optional(Type.String({ minLength: 1, maxLength: notesCharactersMax })),
  expect: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'by id the state on the screen: new, watched or ignored; a domain in another is refused',
    }),
  ),
});
export type DecisionRequest = Static<typeof DecisionRequest>;

export const refusalReasons = ['unknown', 'state', 'already'] as const;

const Changed = Type.Object({ id: Type.String(), from: Type.String(), to: Type.String() });
const Refused = Type.Object({
  id: Type.String(),
  why: oneOf(refusalReasons),
  message: Type.String(),
  state: Type.Optional(Type.String()),
  by: Type.Optional(Type.String()),
  at: Type.Optional(Type.String()),
});

export const DecisionAnswer = Type.Object({
  decision_id: Type.Union([Type.String(), Type.Null()], { description: 'null where nothing changed' }),
  changed: Type.Array(Changed),
  refused: Type.Array(Refused),
});
export type DecisionAnswer = Static<typeof DecisionAnswer>;

export const UndoRequest = Type.Object({
  skip_conflicts: Type.Optional(
    Type.Boolean({
      description: 'undoes the rest where somebody has decided about some since; by default nothing',
    }),
  ),
});

export const UndoAnswer = Type.Object({
  changed: Type.Array(Changed),
  kept: Type.Array(Type.Object({ id: Type.String(), why: Type.String() }), {
    description:
      'what could not be undone: submissions that have left, domains that were decided about since',
  }),
});
export type UndoAnswer = Static<typeof UndoAnswer>;

/** With status 409, beside the error. */
export const UndoConflict = Type.Object({
  id: Type.String(),
  domain: Type.String(),
  by: Type.String(),
  at: Type.String(),
  state: Type.String(),
});
export type UndoConflict = Static<typeof UndoConflict>;

export const DecisionsQuery = Type.Object({
  before: Type.Optional(Type.String({ maxLength: 40, description: 'the last decision of the page before' })),
  by: Type.Optional(Type.String({ maxLength: 255 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'by default 50' })),
});

export const LoggedDecision = Type.Object({
  id: Type.String(),
  by: Type.String(),
  at: Type.String(),
  to: Target,
  domains: Type.Integer(),
  first_names: Type.Array(Type.String()),
  undone: NullablePersonAndTime,
  can_undo: Type.Boolean(),
});
export type LoggedDecision = Static<typeof LoggedDecision>;

export const DecisionsAnswer = Type.Object({
  decisions: Type.Array(LoggedDecision),
  more: Type.Boolean(),
});
export type DecisionsAnswer = Static<typeof DecisionsAnswer>;

export const NoteRequest = Type.Object({
  text: Type.String({ minLength: 1, maxLength: notesCharactersMax }),
});

export const Assignees = Type.Object({ people: Type.Array(Type.String()) });
export type Assignees = Static<typeof Assignees>;

export const AssigneeRequest = Type.Object({
  person: Type.Union([Type.String({ maxLength: 255 }), Type.Null()]),
});

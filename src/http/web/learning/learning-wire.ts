/** What is learned from decisions, as the web UI gets it. */
import { type Static, Type } from 'typebox';
import { suggestedChangeKinds } from '../../../model/detect/suggestion.ts';
import { MonitorChangeBody } from '../monitor/monitor-wire.ts';
import { NullableText, oneOf } from '../wire-values.ts';

const decided = {
  watched: Type.Integer({ description: 'escalated ones included' }),
  escalated: Type.Integer(),
  ignored: Type.Integer(),
};

const Values = Type.Array(
  Type.Object({
    value: Type.String(),
    label: Type.String({ description: 'of a monitor its term' }),
    ...decided,
  }),
  { description: 'those with the most decisions first' },
);

const change = {
  monitor_id: Type.String(),
  term: Type.String({ description: 'of the monitor; empty where it was deleted' }),
  kind: oneOf(suggestedChangeKinds),
  value: Type.String({ description: 'the exclusion' }),
};

/** GET /ui/api/learning */
export const Learning = Type.Object({
  ...decided,
  precision: Type.Object({ monitor: Values, class: Values, registrar: Values, name_server: Values }),
  suggestions: Type.Array(
    Type.Object({
      id: Type.String(),
      ...change,
      ...decided,
      declared_in: NullableText,
      settings: MonitorChangeBody,
    }),
  ),
  answers: Type.Array(
    Type.Object({
      id: Type.String(),
      ...change,
      outcome: oneOf(['accepted', 'dismissed']),
      by: Type.String(),
      at: Type.String(),
      undone_by: NullableText,
    }),
    { description: 'newest first' },
  ),
});
export type Learning = Static<typeof Learning>;

/** POST /ui/api/learning/suggestions/:id */
export const SuggestionAnswerBody = Type.Object({ outcome: oneOf(['accepted', 'dismissed']) });
export type SuggestionAnswerBody = Static<typeof SuggestionAnswerBody>;

/** The answer of POST /ui/api/learning/suggestions/:id and of /ui/api/learning/answers/:id/undo */
export const GivenAnswer = Type.Object({
  id: Type.String({ description: 'of the answer, to take it back' }),
});
export type GivenAnswer = Static<typeof GivenAnswer>;

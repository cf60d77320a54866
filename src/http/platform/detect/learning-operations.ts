/** What is learned from decisions, beyond the contract: precision, suggested changes of monitors, and the answers to them. */
import { type Static, Type } from 'typebox';
import {
  type DecidedCount,
  type SuggestionAnswer,
  suggestedChangeKinds,
} from '../../../model/detect/suggestion.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { decisionsOf, precisionOf } from '../../../product/detect/learning/decided-counts.ts';
import { precision } from '../../../product/detect/learning/precision.ts';
import type { Suggestion } from '../../../product/detect/learning/suggest.ts';
import {
  answerSuggestion,
  answersShown,
  listSuggestions,
  type SuggestionNeeds,
  undoAnswer,
} from '../../../product/detect/learning/suggestions.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { generalCharge } from './charges.ts';
import { choice } from './detect-parameters.ts';
import { timeOnWire } from './detect-wire.ts';

export interface LearningOperationNeeds extends SuggestionNeeds {
  readonly settings: Settings;
}

const valuesMax = 100;

const decidedMembers = {
  watched: Type.Integer({ description: 'escalated domains included' }),
  escalated: Type.Integer(),
  ignored: Type.Integer(),
};

const Values = Type.Array(
  Type.Object(
    {
      value: Type.String({ description: 'of a monitor its id' }),
      ...decidedMembers,
      precision: Type.Number({ description: 'watched domains among those decided, from 0 to 1' }),
    },
    { title: 'DecidedValue' },
  ),
  { description: `those with the most decisions first, at most ${valuesMax}` },
);

const PrecisionResponse = Type.Object({
  ...decidedMembers,
  precision: Type.Union([Type.Number(), Type.Null()], { description: 'null before the first decision' }),
  monitors: Values,
  classes: Values,
  registrars: Values,
  name_servers: Values,
});

const changeMembers = {
  monitor_id: Type.String(),
  change: choice(suggestedChangeKinds, 'what would change'),
  value: Type.String({ description: 'the exclusion; empty for no-substring-variations' }),
};

const SuggestionOnWire = Type.Object({
  id: Type.String(),
  ...changeMembers,
  term: Type.String({ description: 'of the monitor' }),
  declared_in: Type.Union([Type.String(), Type.Null()], {
    description: 'the file that declares the monitor, which must change too',
  }),
  ...decidedMembers,
});

const AnswerOnWire = Type.Object(
  {
    id: Type.String(),
    suggestion_id: Type.String(),
    answer: choice(['accepted', 'dismissed'], 'what was answered'),
    ...changeMembers,
    watched: Type.Integer({ description: 'decisions at the time of the answer' }),
    ignored: Type.Integer(),
    created_by: Type.String(),
    created_date: Type.String(),
    undone_by: Type.Union([Type.String(), Type.Null()]),
    undone_date: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'SuggestionAnswer' },
);

const SuggestionsResponse = Type.Object({
  suggestions: Type.Array(SuggestionOnWire, {
    description: 'those that are drawn from the most decisions first',
  }),
  answers: Type.Array(AnswerOnWire, { description: `the last ${answersShown}, newest first` }),
});

export function learningOperations(needs: LearningOperationNeeds): readonly Operation[] {
  const { settings } = needs;

  const getDetectPrecision = defineOperation({
    id: 'getDetectPrecision',
    family: families.detect,
    route: 'GET /intel-detect/precision/',
    product: 'intel-detect-monitors',
    permission: 'read',
    summary: 'How often what was found was worth attention, by the decisions of the account',
    description:
      'Of the 20,000 domains of each list that were discovered last. Undecided domains do not count.',
    parameters: Type.Object({}),
    response: PrecisionResponse,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller }) => {
      const { all, by } = await precision(caller.account, valuesMax, needs);
      return {
        ...countOnWire(all),
        precision: decisionsOf(all) === 0 ? null : rounded(precisionOf(all)),
        monitors: by.monitor.map(valueOnWire),
        classes: by.class.map(valueOnWire),
        registrars: by.registrar.map(valueOnWire),
        name_servers: by.name_server.map(valueOnWire),
      };
    },
  });

  const getDetectSuggestions = defineOperation({
    id: 'getDetectSuggestions',
    family: families.detect,
    route: 'GET /intel-detect/suggestions/',
    product: 'intel-detect-monitors',
    permission: 'read',
    summary: 'Changes of monitors that would have left out what was ignored',
    description:
      'Each holds for at least 15 ignored domains, of which at most one in 50 was watched and none escalated. Nothing changes until somebody accepts it.',
    parameters: Type.Object({}),
    response: SuggestionsResponse,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller: { account } }) => ({
      suggestions: (await listSuggestions(account, needs)).map(suggestionOnWire),
      answers: (await needs.suggestions.listAnswers(account.id, answersShown)).map(answerOnWire),
    }),
  });

  const postDetectSuggestion = defineOperation({
    id: 'postDetectSuggestion',
    family: families.detect,
    route: 'POST /intel-detect/suggestions/',
    product: 'intel-detect-monitors',
    permission: 'manage',
    summary: 'Accepts a suggestion, which changes its monitor, or dismisses it',
    parameters: Type.Object({
      suggestion_id: Type.String(),
      answer: choice(['accepted', 'dismissed'], 'what is answered'),
    }),
    response: AnswerOnWire,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters: { suggestion_id: id, answer: outcome }, nowMs }) =>
      answerOnWire(await answerSuggestion(caller, { id, outcome }, needs, nowMs)),
  });

  const postDetectSuggestionUndo = defineOperation({
    id: 'postDetectSuggestionUndo',
    family: families.detect,
    route: 'POST /intel-detect/suggestions/undo/',
    product: 'intel-detect-monitors',
    permission: 'manage',
    summary: 'Takes an answer back, and what it changed',
    parameters: Type.Object({ answer_id: Type.String() }),
    response: AnswerOnWire,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, parameters: { answer_id: id }, nowMs }) =>
      answerOnWire(await undoAnswer(caller, id, needs, nowMs)),
  });

  return [getDetectPrecision, getDetectSuggestions, postDetectSuggestion, postDetectSuggestionUndo];
}

function countOnWire({ kept, escalated, ignored }: DecidedCount) {
  return { watched: kept, escalated, ignored };
}

function valueOnWire(count: DecidedCount & { readonly value: string }) {
  return { value: count.value, ...countOnWire(count), precision: rounded(precisionOf(count)) };
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

function suggestionOnWire(suggestion: Suggestion): Static<typeof SuggestionOnWire> {
  const { id, monitorId, kind, value, monitor } = suggestion;
  return {
    id,
    monitor_id: monitorId,
    change: kind,
    value,
    term: monitor.term,
    declared_in: monitor.declared?.file ?? null,
    ...countOnWire(suggestion),
  };
}

function answerOnWire(answer: SuggestionAnswer): Static<typeof AnswerOnWire> {
  const { id, suggestionId, outcome, monitorId, kind, value, kept, ignored, by, atMs, undone } = answer;
  return {
    id,
    suggestion_id: suggestionId,
    answer: outcome,
    monitor_id: monitorId,
    change: kind,
    value,
    watched: kept,
    ignored,
    created_by: by,
    created_date: timeOnWire(atMs),
    undone_by: undone?.by ?? null,
    undone_date: undone ? timeOnWire(undone.atMs) : null,
  };
}

/** What is learned from decisions: precision, suggestions, and the answers to them. */
import { Type } from 'typebox';
import type { DecidedCount, SuggestedChange } from '../../../model/detect/suggestion.ts';
import type { Monitor } from '../../../model/detect/watchlist.ts';
import { precision } from '../../../product/detect/learning/precision.ts';
import {
  answerSuggestion,
  answersShown,
  listSuggestions,
  type SuggestionNeeds,
  undoAnswer,
  withChange,
} from '../../../product/detect/learning/suggestions.ts';
import { monitorsMax } from '../../../product/detect/monitors.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { isoTime } from '../wire-values.ts';
import { GivenAnswer, Learning, SuggestionAnswerBody } from './learning-wire.ts';

export type LearningWebNeeds = SuggestionNeeds;

const valuesShown = 20;
const common = { product: 'intel-detect-monitors', charge: 'page' } as const;
const IdParams = Type.Object({ id: Type.String({ maxLength: 100 }) });

export function learningWebOperations(needs: LearningWebNeeds): readonly WebOperation[] {
  const overview = defineWebOperation({
    ...common,
    method: 'GET',
    path: '/learning',
    access: 'read',
    summary: 'Precision by the decisions of the account, suggested changes, and answers to earlier ones',
    answer: Learning,
    handle: async ({ caller: { account } }) => {
      const query = { sort: ['term'], descending: false, offset: 0, limit: monitorsMax } as const;
      const { monitors } = await needs.monitors.listMonitors(account.id, query);
      const terms = new Map(monitors.map(({ id, term }) => [id, term]));
      const { all, by } = await precision(account, valuesShown, needs);
      const answers = await needs.suggestions.listAnswers(account.id, answersShown);
      return {
        ...countView(all),
        precision: {
          monitor: by.monitor.map((one) => ({ ...valueView(one), label: terms.get(one.value) ?? one.value })),
          class: by.class.map(valueView),
          registrar: by.registrar.map(valueView),
          name_server: by.name_server.map(valueView),
        },
        suggestions: (await listSuggestions(account, needs)).map((one) => ({
          id: one.id,
          ...changeView(one, one.monitor.term),
          ...countView(one),
          declared_in: one.monitor.declared?.file ?? null,
          settings: settingsView(withChange(one.monitor, one)),
        })),
        answers: answers.map((one) => ({
          id: one.id,
          ...changeView(one, terms.get(one.monitorId) ?? ''),
          outcome: one.outcome,
          by: one.by,
          at: isoTime(one.atMs),
          undone_by: one.undone?.by ?? null,
        })),
      };
    },
  });

  const answer = defineWebOperation({
    ...common,
    method: 'POST',
    path: '/learning/suggestions/:id',
    access: 'manage',
    summary: 'Accepts or dismisses a suggestion',
    params: IdParams,
    body: SuggestionAnswerBody,
    answer: GivenAnswer,
    handle: async ({ params: { id }, body: { outcome }, caller, nowMs }) => ({
      id: (await answerSuggestion(caller, { id, outcome }, needs, nowMs)).id,
    }),
  });

  const undo = defineWebOperation({
    ...common,
    method: 'POST',
    path: '/learning/answers/:id/undo',
    access: 'manage',
    summary: 'Takes an answer back, and what it changed',
    params: IdParams,
    answer: GivenAnswer,
    handle: async ({ params: { id }, caller, nowMs }) => ({
      id: (await undoAnswer(caller, id, needs, nowMs)).id,
    }),
  });

  return [overview, answer, undo];
}

function countView({ kept, escalated, ignored }: DecidedCount) {
  return { watched: kept, escalated, ignored };
}

function valueView(count: DecidedCount & { readonly value: string }) {
  return { value: count.value, label: count.value, ...countView(count) };
}

function changeView({ monitorId, kind, value }: SuggestedChange, term: string) {
  return { monitor_id: monitorId, term, kind, value };
}

function settingsView({ matchSubstringVariations, nameserverExclusions, textExclusions }: Monitor) {
  return {
    match_substring_variations: matchSubstringVariations,
    nameserver_exclusions: [...nameserverExclusions],
    text_exclusions: [...textExclusions],
  };
}

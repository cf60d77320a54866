/** What decisions say: precision, and suggested changes of monitors. Accepting one is for people. */
import type { DecidedCount } from '../../../model/detect/suggestion.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { type Detail, thirdParties } from '../../../product/assistant/third-parties.ts';
import { decisionsOf, precisionOf } from '../../../product/detect/learning/decided-counts.ts';
import { precision } from '../../../product/detect/learning/precision.ts';
import { listSuggestions, type SuggestionNeeds } from '../../../product/detect/learning/suggestions.ts';
import { fitAnswer, rowsAnswer } from '../answer.ts';
import { type ChargeCallNeeds, chargeCall } from '../charge-call.ts';
import { defineTool, type Tool } from '../tool.ts';
import { input } from './inputs.ts';

export interface SuggestionToolNeeds extends SuggestionNeeds, ChargeCallNeeds {
  readonly settings: ChargeCallNeeds['settings'] & Pick<Settings, 'assistant'>;
}

const product = 'intel-detect-monitors';
const valuesMax = 10;

export function suggestionTool(needs: SuggestionToolNeeds): Tool {
  return defineTool({
    name: 'monitor_suggestions',
    title: 'Suggested changes of monitors',
    description:
      'How often what was found was worth attention, by the decisions of the team, and changes of monitors that would have left out what was ignored. A person accepts or dismisses them.',
    input: input({}),
    products: [product],
    permission: 'read',
    call: async (_, context) => {
      await chargeCall(context, { product, permission: 'read' }, needs);
      const { account } = context.caller;
      const { all, by } = await precision(account, valuesMax, needs);
      const suggestions = await listSuggestions(account, needs);
      const head = {
        decided: countOf(all),
        monitors: by.monitor.map(({ value, ...count }) => ({ monitor_id: value, ...countOf(count) })),
        classes: by.class.map(({ value, ...count }) => ({ class: value, ...countOf(count) })),
      };
      const rowsIn = (detail: Detail) =>
        suggestions.map(({ id, monitorId, monitor, kind, value, ...count }) => ({
          suggestion_id: id,
          monitor_id: monitorId,
          term: monitor.term,
          change: kind,
          ...countOf(count),
          ...thirdParties({ value }, detail),
        }));
      const answer = { head, name: 'suggestions', rowsIn };
      const fitted = fitAnswer(answer, needs.settings.assistant.answerBytesMax);
      return { data: rowsAnswer(answer, fitted, { more: suggestions.length - fitted.rows.length }) };
    },
  });
}

function countOf(count: DecidedCount) {
  const { kept: watched, escalated, ignored } = count;
  const share = decisionsOf(count) === 0 ? null : Math.round(precisionOf(count) * 1000) / 1000;
  return { watched, escalated, ignored, precision: share };
}

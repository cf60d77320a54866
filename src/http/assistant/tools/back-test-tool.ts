/** What a change of a monitor would have meant over the last 90 days. Changes nothing. */
import { type Static, Type } from 'typebox';
import type { Monitor } from '../../../model/detect/watchlist.ts';
import { fieldProblem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { dayOfMs } from '../../../product/assistant/plain-values.ts';
import { type Detail, thirdParties } from '../../../product/assistant/third-parties.ts';
import { explain } from '../../../product/detect/explanation.ts';
import { type BackTestPart, backTest } from '../../../product/detect/monitor/back-test.ts';
import { type PreviewNeeds, previewDays } from '../../../product/detect/monitor/dry-run.ts';
import { getMonitor, monitorStates, refuseOtherTerm } from '../../../product/detect/monitors.ts';
import { Previews } from '../../../product/detect/preview.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import type { WatchlistStore } from '../../../store/watchlist-store.ts';
import { ChangeParameters, changeOf, monitorSettingsOf } from '../../platform/detect/monitor-parameters.ts';
import { parameterReader } from '../../platform/operation/parameters.ts';
import { fitAnswer, rowsAnswer } from '../answer.ts';
import { type ChargeCallNeeds, chargeCall } from '../charge-call.ts';
import { defineTool, type Tool } from '../tool.ts';
import { choiceOf, input, limitOf } from './inputs.ts';
import { monitorMembers } from './monitor-members.ts';

export interface BackTestToolNeeds extends PreviewNeeds, ChargeCallNeeds {
  readonly monitors: PreviewNeeds['monitors'] & Pick<MonitorStore, 'findMonitor'>;
  readonly watchlist: Pick<WatchlistStore, 'countDecided'>;
  readonly settings: ChargeCallNeeds['settings'] & Pick<Settings, 'assistant'>;
}

const product = 'intel-detect-monitors';
const { term, ...changes } = monitorMembers;

const given = {
  monitor_id: Type.Optional(
    Type.String({ maxLength: 40, description: 'the monitor that would change; without it, a new one' }),
  ),
  term: Type.Optional(term),
  ...changes,
  state: Type.Optional(choiceOf(monitorStates, 'inactive: as if the monitor ended')),
};

const readChange = parameterReader(ChangeParameters, {
  invalid: 'invalid-parameters',
  unreadable: 'invalid-parameters',
});

export function backTestTool(needs: BackTestToolNeeds): Tool {
  const previews = new Previews(needs);
  return defineTool({
    name: 'monitor_back_test',
    title: 'Back-test a change of a monitor',
    description: `What a change of a monitor, or a new one, would have meant over the last ${previewDays} days: what would have appeared, what would be gone, and how your account decided about it. Changes nothing.`,
    input: input({ ...given, limit: limitOf(10, 50) }),
    products: [product],
    permission: 'manage',
    call: async ({ limit = 10, ...members }, context) => {
      const { account } = context.caller;
      const id = members.monitor_id;
      const existing = id === undefined ? undefined : await getMonitor(account, id, needs);
      const change = { before: existing, after: changedBy(members, existing) };
      await chargeCall(context, { product, permission: 'manage', isPreview: true }, needs);
      const test = await backTest(account, change, limit, { previews, watchlist: needs.watchlist });
      const answer = {
        head: {
          days: previewDays,
          searched_names: test.names,
          complete: test.isComplete,
          before_count: test.before,
          after_count: test.after,
          appearing: { total_count: test.appearing.total, ...test.appearing.decided },
          disappearing: { total_count: test.disappearing.total, ...test.disappearing.decided },
        },
        name: 'domains',
        rowsIn: (detail: Detail) => [
          ...rowsOf('appears', test.appearing, detail),
          ...rowsOf('disappears', test.disappearing, detail),
        ],
      };
      const fitted = fitAnswer(answer, needs.settings.assistant.answerBytesMax);
      const total = test.appearing.total + test.disappearing.total;
      return { data: rowsAnswer(answer, fitted, { more: total - fitted.rows.length }) };
    },
  });
}

/** By the rules of the API. */
function changedBy(members: Static<ReturnType<typeof input<typeof given>>>, existing: Monitor | undefined) {
  const values = new Map(Object.entries(members).map(([name, member]) => [name, { member }]));
  const parameters = readChange({ values });
  if (!existing && parameters.term === undefined)
    throw fieldProblem('invalid-parameters', 'term', 'is required for a new monitor');
  if (existing) refuseOtherTerm(existing, parameters.term?.trim());
  const state = parameters.state ?? existing?.state ?? 'active';
  if (existing) return { ...existing, ...changeOf(parameters), state };
  return { ...monitorSettingsOf({ ...parameters, term: parameters.term ?? '' }), state };
}

function rowsOf(
  change: 'appears' | 'disappears',
  { domains }: BackTestPart,
  detail: Detail,
): readonly object[] {
  return domains.map(({ domain, seenMs, reason }) => ({
    domain,
    change,
    first_seen: dayOfMs(seenMs),
    class: reason.class,
    ...thirdParties({ explanation: explain(reason) }, detail),
  }));
}

/** Monitors: what a new one would find, and creating it. */
import { type Static, Type } from 'typebox';
import type { Settings } from '../../../model/settings/settings.ts';
import type { ExplainMatch } from '../../../product/assistant/lookalike-rows.ts';
import { dayOfMs } from '../../../product/assistant/plain-values.ts';
import { type Detail, thirdParties } from '../../../product/assistant/third-parties.ts';
import { explain } from '../../../product/detect/explanation.ts';
import {
  type PreviewedDomain,
  type PreviewNeeds,
  previewDays,
} from '../../../product/detect/monitor/dry-run.ts';
import { createMonitor, type MonitorNeeds, refuseTooManyMonitors } from '../../../product/detect/monitors.ts';
import { Previews } from '../../../product/detect/preview.ts';
import { MonitorParameters, monitorSettingsOf } from '../../platform/detect/monitor-parameters.ts';
import { parameterReader } from '../../platform/operation/parameters.ts';
import { fitAnswer, rowsAnswer } from '../answer.ts';
import { type ChargeCallNeeds, chargeCall } from '../charge-call.ts';
import { defineTool, type Tool } from '../tool.ts';
import { input, limitOf } from './inputs.ts';
import { monitorMembers } from './monitor-members.ts';

export interface MonitorToolNeeds extends PreviewNeeds, MonitorNeeds, ChargeCallNeeds {
  readonly monitors: PreviewNeeds['monitors'] & MonitorNeeds['monitors'];
  readonly settings: ChargeCallNeeds['settings'] & Pick<Settings, 'assistant'>;
}

const product = 'intel-detect-monitors';
const readMonitor = parameterReader(MonitorParameters, {
  invalid: 'invalid-parameters',
  unreadable: 'invalid-parameters',
});

function settingsOf(given: Static<ReturnType<typeof input<typeof monitorMembers>>>) {
  const values = new Map(Object.entries(given).map(([name, member]) => [name, { member }]));
  return monitorSettingsOf(readMonitor({ values }));
}

export function monitorTools(needs: MonitorToolNeeds): readonly Tool[] {
  return [previewTool(needs), createTool(needs)];
}

function previewTool(needs: MonitorToolNeeds): Tool {
  const previews = new Previews(needs);
  return defineTool({
    name: 'monitor_preview',
    title: 'Preview a monitor',
    description: `What a monitor of a term would have found in the last ${previewDays} days. Changes nothing.`,
    input: input({ ...monitorMembers, limit: limitOf(20, 100) }),
    products: [product],
    permission: 'manage',
    call: async ({ limit = 20, ...given }, context) => {
      const settings = settingsOf(given);
      await chargeCall(context, { product, permission: 'manage', isPreview: true }, needs);
      const found = await previews.preview(context.caller.account, settings, { limit });
      const head = {
        total_count: found.total,
        days: previewDays,
        searched_names: found.names,
        complete: found.isComplete,
        classes: Object.fromEntries(found.classes),
      };
      const answer = {
        head,
        name: 'domains',
        rowsIn: (detail: Detail) => found.domains.map((domain) => previewRow(domain, explain, detail)),
      };
      const fitted = fitAnswer(answer, needs.settings.assistant.answerBytesMax);
      return { data: rowsAnswer(answer, fitted, { more: found.total - fitted.rows.length }) };
    },
  });
}

function previewRow(
  { domain, seenMs, reason }: PreviewedDomain,
  explanationOf: ExplainMatch,
  detail: Detail,
): object {
  return {
    domain,
    first_seen: dayOfMs(seenMs),
    class: reason.class,
    ...thirdParties({ explanation: explanationOf(reason) }, detail),
  };
}

function createTool(needs: MonitorToolNeeds): Tool {
  return defineTool({
    name: 'monitor_create',
    title: 'Create a monitor',
    description:
      'Protects a term from now on: lookalikes among new names go to the watchlist. Run monitor_preview first, and ask the person.',
    input: input({
      ...monitorMembers,
      reason: Type.String({ minLength: 5, maxLength: 1000, description: 'why, for the audit log' }),
    }),
    products: [product],
    permission: 'manage',
    writes: true,
    call: async (given, context) => {
      const settings = settingsOf(given);
      await refuseTooManyMonitors(context.caller.account, needs);
      await chargeCall(context, { product, permission: 'manage' }, needs);
      const created = await createMonitor(context.caller, settings, needs, context.nowMs);
      return {
        data: { monitor_id: created.id, term: created.term, state: created.state, status: created.status },
      };
    },
  });
}

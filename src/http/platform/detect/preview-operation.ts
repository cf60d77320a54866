/** A dry run of a monitor, beyond the contract: what it would have found if it already existed. */
import { type Static, Type } from 'typebox';
import type { Settings } from '../../../model/settings/settings.ts';
import { type Preview, type PreviewNeeds, previewDays } from '../../../product/detect/monitor/dry-run.ts';
import { Previews } from '../../../product/detect/preview.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { previewCharge } from './charges.ts';
import { nameOnWire } from './detect-wire.ts';
import { Reason, reasonOnWire } from './match-wire.ts';
import { MonitorParameters, monitorSettingsOf } from './monitor-parameters.ts';

export interface PreviewOperationNeeds extends PreviewNeeds {
  readonly settings: Settings;
}

const limitMax = 100;

const PreviewResponse = Type.Object({
  total_count: Type.Integer({ description: 'domains that the monitor would have found' }),
  count: Type.Integer(),
  limit: Type.Integer(),
  days: Type.Integer({ description: 'names first seen in the last this many days were searched' }),
  searched_names: Type.Integer(),
  complete: Type.Boolean({
    description: 'false: the search stopped at its time or result limit, after the newest names',
  }),
  class_counts: Type.Record(Type.String(), Type.Integer(), {
    description: 'number of domains by match class',
  }),
  domains: Type.Array(
    Type.Object({
      domain: Type.String(),
      tld: Type.String(),
      first_seen: Type.String({ description: 'the day, YYYY-MM-DD' }),
      match: Reason,
    }),
    { description: 'newest first' },
  ),
});

export function previewOperation(needs: PreviewOperationNeeds): Operation {
  const previews = new Previews(needs);
  return defineOperation({
    id: 'postDetectMonitorPreview',
    family: families.detect,
    route: 'POST /intel-detect/monitors/preview/',
    product: 'intel-detect-monitors',
    permission: 'manage',
    changesNothing: true,
    summary: 'What a monitor would have found, without creating it',
    description:
      'Newest first; stores nothing. It ends early, with `complete` false, where there is much to search.',
    parameters: Type.Object({
      ...MonitorParameters.properties,
      limit: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: limitMax,
          description: `domains in the response; 0 or absent: ${limitMax}`,
        }),
      ),
    }),
    response: PreviewResponse,
    parse: ({ parameters }) => ({
      settings: monitorSettingsOf(parameters),
      limit: parameters.limit || limitMax,
    }),
    charge: (context) => previewCharge(context, needs.settings),
    handle: async ({ caller }, { settings, limit }) =>
      onWire(await previews.preview(caller.account, settings, { limit }), limit),
  });
}

function onWire(preview: Preview, limit: number): Static<typeof PreviewResponse> {
  return {
    total_count: preview.total,
    count: preview.domains.length,
    limit,
    days: previewDays,
    searched_names: preview.names,
    complete: preview.isComplete,
    class_counts: Object.fromEntries(preview.classes),
    domains: preview.domains.map(({ domain, tld, seenMs, reason }) => ({
      domain: nameOnWire(domain),
      tld,
      first_seen: new Date(seenMs).toISOString().slice(0, 10),
      match: reasonOnWire(reason),
    })),
  };
}

/** A dry run of a monitor, beyond the contract: what it would have found, before it is created. */
import { type Static, Type } from 'typebox';
import type { Settings } from '../../model/settings.ts';
import { type Preview, type PreviewNeeds, Previews, previewDays } from '../../product/detect/preview.ts';
import { previewDraw } from './detect-draws.ts';
import { Reason, reasonOnWire } from './detect-match-wire.ts';
import { MonitorParameters, monitorSettingsOf } from './detect-monitor-parameters.ts';
import { nameOnWire } from './detect-wire.ts';
import type { Offer } from './offer.ts';

export interface PreviewRouteNeeds extends PreviewNeeds {
  readonly settings: Settings;
}

const limitMax = 100;

const PreviewAnswer = Type.Object({
  total_count: Type.Integer({ description: 'domains that the monitor would have found' }),
  count: Type.Integer(),
  limit: Type.Integer(),
  days: Type.Integer({ description: 'names first seen so many days ago or later were searched' }),
  searched_names: Type.Integer(),
  complete: Type.Boolean({
    description:
      'false: the search was ended because it took too long or found too much; the newest part was searched',
  }),
  class_counts: Type.Record(Type.String(), Type.Integer(), { description: 'domains by class of the match' }),
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

export function detectPreviewRoute(offer: Offer, needs: PreviewRouteNeeds): void {
  const previews = new Previews(needs);
  offer('postDetectMonitorPreview', {
    parameters: Type.Object({
      ...MonitorParameters.properties,
      limit: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: limitMax,
          description: `domains shown; 0 or left out: ${limitMax}`,
        }),
      ),
    }),
    answer: PreviewAnswer,
    understand: ({ parameters }) => ({
      settings: monitorSettingsOf(parameters),
      limit: parameters.limit || limitMax,
    }),
    draw: (asked) => previewDraw(asked, needs.settings),
    run: async ({ caller }, { settings, limit }) =>
      onWire(await previews.preview(caller.account, settings, limit), limit),
  });
}

function onWire(preview: Preview, limit: number): Static<typeof PreviewAnswer> {
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

/**
 * The preview of a monitor: what it would have found in the last 90 days, with the lines that its exclusions strike, and what the account
 * has decided about those domains since (a back-test).
 */
import { factsOf } from '../../../model/detect/facts.ts';
import {
  type PreviewedDomain,
  type PreviewNeeds,
  previewDays,
} from '../../../product/detect/monitor/dry-run.ts';
import { Previews } from '../../../product/detect/preview.ts';
import type { WatchlistStore } from '../../../store/watchlist-store.ts';
import { reasonOnWire } from '../../platform/detect/match-wire.ts';
import { MonitorParameters, monitorSettingsOf } from '../../platform/detect/monitor-parameters.ts';
import { namesOf } from '../domain/overview-operation.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { MonitorPreview } from './monitor-wire.ts';

export interface PreviewWebNeeds extends PreviewNeeds {
  readonly watchlist: Pick<WatchlistStore, 'countDecided'>;
}

const linesMax = 200;

export function previewWebOperation(needs: PreviewWebNeeds): WebOperation {
  const previews = new Previews(needs);
  return defineWebOperation({
    method: 'POST',
    path: '/monitors/preview',
    access: 'manage',
    product: 'intel-detect-monitors',
    charge: 'page',
    summary: 'What a monitor would have found in the last 90 days',
    body: MonitorParameters,
    answer: MonitorPreview,
    handle: async ({ body, caller: { account } }) => {
      const options = { limit: linesMax, markExcluded: true };
      const preview = await previews.preview(account, monitorSettingsOf(body), options);
      const decided = await needs.watchlist.countDecided(account.id, [...preview.found]);
      return {
        days: previewDays,
        searched_names: preview.names,
        complete: preview.isComplete,
        total: preview.total,
        excluded: preview.excluded,
        class_counts: Object.fromEntries(preview.classes),
        escalated: decided.escalated,
        watched: decided.watched,
        domains: await linesOf(preview.domains, needs),
      };
    },
  });
}

/** With name servers, so that one can exclude them. */
async function linesOf(
  domains: readonly PreviewedDomain[],
  needs: PreviewWebNeeds,
): Promise<MonitorPreview['domains']> {
  const records = await needs.domains.findRecords(domains.map(({ domain }) => domain));
  return domains.map(({ domain, tld, seenMs, reason, excludedBy }, index) => {
    const record = records[index];
    return {
      ...namesOf(domain),
      tld,
      first_seen: new Date(seenMs).toISOString().slice(0, 10),
      name_server: record ? [...factsOf(record).nameServers] : [],
      excluded_by: excludedBy ?? null,
      match: reasonOnWire(reason),
    };
  });
}

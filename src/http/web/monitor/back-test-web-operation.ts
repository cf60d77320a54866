/** What a change of a monitor would have meant over the last 90 days, before it is saved. */
import { Type } from 'typebox';
import { type BackTestPart, backTest } from '../../../product/detect/monitor/back-test.ts';
import { type PreviewNeeds, previewDays } from '../../../product/detect/monitor/dry-run.ts';
import { getMonitor } from '../../../product/detect/monitors.ts';
import { Previews } from '../../../product/detect/preview.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import type { WatchlistStore } from '../../../store/watchlist-store.ts';
import { ChangeParameters, changeOf } from '../../platform/detect/monitor-parameters.ts';
import { namesOf } from '../domain/overview-operation.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { MonitorBackTest } from './monitor-wire.ts';

export interface BackTestWebNeeds extends PreviewNeeds {
  readonly monitors: PreviewNeeds['monitors'] & Pick<MonitorStore, 'findMonitor'>;
  readonly watchlist: Pick<WatchlistStore, 'countDecided'>;
}

const domainsMax = 100;

export function backTestWebOperation(needs: BackTestWebNeeds): WebOperation {
  const previews = new Previews(needs);
  return defineWebOperation({
    method: 'POST',
    path: '/monitors/:id/back-test',
    access: 'manage',
    product: 'intel-detect-monitors',
    charge: 'page',
    summary: 'What a change of a monitor would have meant in the last 90 days',
    params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
    body: Type.Omit(ChangeParameters, ['monitor_id', 'term']),
    answer: MonitorBackTest,
    handle: async ({ params: { id }, body, caller: { account } }) => {
      const before = await getMonitor(account, id, needs);
      const after = { ...before, ...changeOf(body) };
      const test = await backTest(account, { before, after }, domainsMax, {
        previews,
        watchlist: needs.watchlist,
      });
      return {
        days: previewDays,
        complete: test.isComplete,
        appearing: partOf(test.appearing),
        disappearing: partOf(test.disappearing),
      };
    },
  });
}

function partOf({ total, decided, domains }: BackTestPart): MonitorBackTest['appearing'] {
  return { total, ...decided, domains: domains.map(({ domain }) => namesOf(domain)) };
}

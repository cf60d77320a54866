/** A back-test of a change of a monitor, beyond the contract: what it would have meant over the last 90 days. Nothing is stored. */
import { type Static, Type } from 'typebox';
import { fieldProblem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { type BackTest, type BackTestPart, backTest } from '../../../product/detect/monitor/back-test.ts';
import { type PreviewNeeds, previewDays } from '../../../product/detect/monitor/dry-run.ts';
import { getMonitor, refuseOtherTerm } from '../../../product/detect/monitors.ts';
import { Previews } from '../../../product/detect/preview.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import type { WatchlistStore } from '../../../store/watchlist-store.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { previewCharge } from './charges.ts';
import { nameOnWire } from './detect-wire.ts';
import { Reason, reasonOnWire } from './match-wire.ts';
import { ChangeParameters, changeOf, monitorSettingsOf } from './monitor-parameters.ts';

export interface BackTestOperationNeeds extends PreviewNeeds {
  readonly monitors: PreviewNeeds['monitors'] & Pick<MonitorStore, 'findMonitor'>;
  readonly watchlist: Pick<WatchlistStore, 'countDecided'>;
  readonly settings: Settings;
}

const limitMax = 100;

const Part = Type.Object(
  {
    total_count: Type.Integer(),
    watched: Type.Integer({ description: 'those of them that the account watches' }),
    ignored: Type.Integer({ description: 'those of them that the account ignores' }),
    escalated: Type.Integer({ description: 'those of them that the account has escalated' }),
    domains: Type.Array(
      Type.Object({
        domain: Type.String(),
        first_seen: Type.String({ description: 'the day, YYYY-MM-DD' }),
        match: Reason,
      }),
      { description: 'newest first' },
    ),
  },
  { title: 'BackTestPart' },
);

const BackTestResponse = Type.Object({
  days: Type.Integer({ description: 'names first seen in the last this many days were searched' }),
  searched_names: Type.Integer(),
  complete: Type.Boolean({
    description: 'false: a search stopped at its time or result limit, after the newest names',
  }),
  before_count: Type.Integer({ description: 'domains that the monitor finds as it is' }),
  after_count: Type.Integer({ description: 'domains that it would find after the change' }),
  appearing: Part,
  disappearing: Part,
});

export function backTestOperation(needs: BackTestOperationNeeds): Operation {
  const previews = new Previews(needs);
  return defineOperation({
    id: 'postDetectMonitorBackTest',
    family: families.detect,
    route: 'POST /intel-detect/monitors/back-test/',
    product: 'intel-detect-monitors',
    permission: 'manage',
    changesNothing: true,
    summary: 'What a change of a monitor would have meant, without making it',
    description:
      'With `monitor_id` the members that are given change that monitor, and `state` inactive is its end; without, it is about a new monitor, ' +
      'and `term` is required. Newest first; stores nothing.',
    parameters: Type.Object({
      ...ChangeParameters.properties,
      monitor_id: Type.Optional(Type.String({ description: 'the monitor that would change' })),
      limit: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: limitMax,
          description: `domains in each list; 0 or absent: ${limitMax}`,
        }),
      ),
    }),
    response: BackTestResponse,
    parse: async ({ caller, parameters }) => {
      const { monitor_id: id, term, limit } = parameters;
      if (id === undefined && term === undefined)
        throw fieldProblem('invalid-parameters', 'term', 'is required for a new monitor');
      const existing = id === undefined ? undefined : await getMonitor(caller.account, id, needs);
      if (existing) refuseOtherTerm(existing, term?.trim());
      const created = monitorSettingsOf({ ...parameters, term: term ?? existing?.term ?? '' });
      const state = parameters.state ?? existing?.state ?? 'active';
      const changed = existing ? { ...existing, ...changeOf(parameters), state } : { ...created, state };
      return { before: existing, after: changed, limit: limit || limitMax };
    },
    charge: (context) => previewCharge(context, needs.settings),
    handle: async ({ caller }, { limit, ...change }) =>
      onWire(await backTest(caller.account, change, limit, { previews, watchlist: needs.watchlist })),
  });
}

function onWire(test: BackTest): Static<typeof BackTestResponse> {
  return {
    days: previewDays,
    searched_names: test.names,
    complete: test.isComplete,
    before_count: test.before,
    after_count: test.after,
    appearing: partOnWire(test.appearing),
    disappearing: partOnWire(test.disappearing),
  };
}

function partOnWire({ total, decided, domains }: BackTestPart): Static<typeof Part> {
  return {
    total_count: total,
    ...decided,
    domains: domains.map(({ domain, seenMs, reason }) => ({
      domain: nameOnWire(domain),
      first_seen: new Date(seenMs).toISOString().slice(0, 10),
      match: reasonOnWire(reason),
    })),
  };
}

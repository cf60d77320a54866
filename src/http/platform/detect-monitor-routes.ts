/** Monitors: the list with its counts, and what makes, changes and ends them. */
import { Type } from 'typebox';
import { fieldProblem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings.ts';
import { getMonitorQuery } from '../../product/detect/monitor-list.ts';
import {
  createMonitor,
  deleteMonitor,
  getMonitor,
  type MonitorNeeds,
  refuseOtherTerm,
  refuseTooManyMonitors,
  updateMonitor,
} from '../../product/detect/monitors.ts';
import { generalDraw } from './detect-draws.ts';
import {
  ChangeParameters,
  changeOf,
  MonitorParameters,
  monitorListParameters,
  monitorSettingsOf,
} from './detect-monitor-parameters.ts';
import { readInstant } from './detect-parameters.ts';
import { MonitorOnWire, monitorOnWire } from './detect-wire.ts';
import type { Offer } from './offer.ts';

export interface MonitorRouteNeeds extends MonitorNeeds {
  readonly settings: Settings;
}

const MonitorList = Type.Object({
  total_count: Type.Integer(),
  offset: Type.Integer(),
  limit: Type.Integer(),
  monitors: Type.Array(MonitorOnWire),
});

const MonitorAnswer = Type.Object({ status: Type.String(), monitor: MonitorOnWire });
const MonitorGone = Type.Object({ status: Type.String(), monitor: Type.Object({ id: Type.String() }) });

export function detectMonitorRoutes(offer: Offer, needs: MonitorRouteNeeds): void {
  const { settings, watchlist } = needs;

  offer('getDetectMonitors', {
    parameters: monitorListParameters(settings),
    answer: MonitorList,
    understand: ({ parameters, nowMs }) =>
      getMonitorQuery(
        {
          sort: parameters.sort,
          order: parameters.order,
          offset: parameters.offset,
          limit: parameters.limit,
          withCounts: parameters.include_counts,
          countsSinceMs: readInstant('datetime_counts_since', parameters.datetime_counts_since, nowMs),
        },
        settings,
      ),
    draw: (asked) => (asked.parameters.offset ? generalDraw(asked, settings) : 'product'),
    run: async ({ caller }, query) => {
      const { total, monitors } = await watchlist.listMonitors(caller.account.id, query);
      return {
        total_count: total,
        offset: query.offset,
        limit: query.limit,
        monitors: monitors.map(monitorOnWire),
      };
    },
  });

  offer('postDetectMonitor', {
    parameters: MonitorParameters,
    answer: MonitorAnswer,
    understand: async ({ caller, parameters }) => {
      await refuseTooManyMonitors(caller.account, needs);
      return monitorSettingsOf(parameters);
    },
    draw: (asked) => generalDraw(asked, settings),
    run: async ({ caller, nowMs }, wanted) => ({
      status: 'created',
      monitor: monitorOnWire(await createMonitor(caller, wanted, needs, nowMs)),
    }),
  });

  offer('putDetectMonitor', {
    parameters: ChangeParameters,
    answer: MonitorAnswer,
    understand: async ({ caller, parameters }) => {
      const { monitor_id: id, term } = parameters;
      if (id === undefined)
        throw fieldProblem('invalid-parameters', 'monitor_id', 'The monitor_id field is required.');
      refuseOtherTerm(await getMonitor(caller.account, id, needs), term?.trim());
      return { id, change: changeOf(parameters) };
    },
    draw: (asked) => generalDraw(asked, settings),
    run: async ({ caller, nowMs }, { id, change }) => ({
      status: 'updated',
      monitor: monitorOnWire(await updateMonitor(caller.account, id, change, needs, nowMs)),
    }),
  });

  offer('deleteDetectMonitor', {
    parameters: Type.Object({ monitor_id: Type.String() }),
    answer: MonitorGone,
    understand: async ({ caller, parameters }) =>
      (await getMonitor(caller.account, parameters.monitor_id, needs)).id,
    draw: (asked) => generalDraw(asked, settings),
    run: async ({ caller }, id) => {
      await deleteMonitor(caller.account, id, needs);
      return { status: 'deleted', monitor: { id } };
    },
  });
}

/** Monitors: list with counts, create, update, delete. */
import { Type } from 'typebox';
import { fieldProblem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { getMonitorQuery } from '../../../product/detect/monitor-list.ts';
import {
  createMonitor,
  deleteMonitor,
  getMonitor,
  type MonitorNeeds,
  refuseOtherTerm,
  refuseTooManyMonitors,
  updateMonitor,
} from '../../../product/detect/monitors.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { generalCharge } from './charges.ts';
import { readInstant } from './detect-parameters.ts';
import { MonitorOnWire, monitorOnWire } from './detect-wire.ts';
import {
  ChangeParameters,
  changeOf,
  MonitorParameters,
  monitorListParameters,
  monitorSettingsOf,
} from './monitor-parameters.ts';

export interface MonitorOperationNeeds extends MonitorNeeds {
  readonly settings: Settings;
}

const MonitorList = Type.Object({
  total_count: Type.Integer(),
  offset: Type.Integer(),
  limit: Type.Integer(),
  monitors: Type.Array(MonitorOnWire),
});

const MonitorResponse = Type.Object({ status: Type.String(), monitor: MonitorOnWire });
const DeletedMonitorResponse = Type.Object({
  status: Type.String(),
  monitor: Type.Object({ id: Type.String() }),
});

export function monitorOperations(needs: MonitorOperationNeeds): readonly Operation[] {
  const { settings } = needs;

  const getDetectMonitors = defineOperation({
    id: 'getDetectMonitors',
    family: families.detect,
    route: 'GET /intel-detect/monitors/',
    product: 'intel-detect-monitors',
    permission: 'read',
    summary: 'Lists monitors',
    parameters: monitorListParameters(settings),
    response: MonitorList,
    parse: ({ parameters, nowMs }) =>
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
    charge: (context) => (context.parameters.offset ? generalCharge(context, settings) : 'product'),
    handle: async ({ caller }, query) => {
      const { total, monitors } = await needs.monitors.listMonitors(caller.account.id, query);
      return {
        total_count: total,
        offset: query.offset,
        limit: query.limit,
        monitors: monitors.map(monitorOnWire),
      };
    },
  });

  const postDetectMonitor = defineOperation({
    id: 'postDetectMonitor',
    family: families.detect,
    route: 'POST /intel-detect/monitors/',
    product: 'intel-detect-monitors',
    permission: 'manage',
    summary: 'Creates a monitor of a term',
    errorCode: 'invalid-members',
    parameters: MonitorParameters,
    response: MonitorResponse,
    parse: async ({ caller, parameters }) => {
      await refuseTooManyMonitors(caller.account, needs);
      return monitorSettingsOf(parameters);
    },
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, nowMs }, monitorSettings) => ({
      status: 'created',
      monitor: monitorOnWire(await createMonitor(caller, monitorSettings, needs, nowMs)),
    }),
  });

  const putDetectMonitor = defineOperation({
    id: 'putDetectMonitor',
    family: families.detect,
    route: 'PUT /intel-detect/monitors/',
    product: 'intel-detect-monitors',
    permission: 'manage',
    summary: 'Updates a monitor',
    errorCode: 'invalid-members',
    parameters: ChangeParameters,
    response: MonitorResponse,
    parse: async ({ caller, parameters }) => {
      const { monitor_id: id, term } = parameters;
      if (id === undefined)
        throw fieldProblem('invalid-parameters', 'monitor_id', 'The monitor_id field is required.');
      refuseOtherTerm(await getMonitor(caller.account, id, needs), term?.trim());
      return { id, change: changeOf(parameters) };
    },
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller, nowMs }, { id, change }) => ({
      status: 'updated',
      monitor: monitorOnWire(await updateMonitor(caller.account, { id, change }, needs, nowMs)),
    }),
  });

  const deleteDetectMonitor = defineOperation({
    id: 'deleteDetectMonitor',
    family: families.detect,
    route: 'DELETE /intel-detect/monitors/',
    product: 'intel-detect-monitors',
    permission: 'manage',
    summary: 'Deletes a monitor permanently',
    parameters: Type.Object({ monitor_id: Type.String() }),
    response: DeletedMonitorResponse,
    parse: async ({ caller, parameters }) =>
      (await getMonitor(caller.account, parameters.monitor_id, needs)).id,
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller }, id) => {
      await deleteMonitor(caller.account, id, needs);
      return { status: 'deleted', monitor: { id } };
    },
  });

  return [getDetectMonitors, postDetectMonitor, putDetectMonitor, deleteDetectMonitor];
}

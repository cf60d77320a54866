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
  monitorsMax,
  refuseCreatedInactive,
  refuseOtherTerm,
  refuseTooManyMonitors,
  updateMonitor,
} from '../../../product/detect/monitors.ts';
import { queryDigest } from '../../../product/detect/query-digest.ts';
import { families } from '../families.ts';
import { defineOperation, type Operation } from '../operation/define-operation.ts';
import { generalCharge, listCharge } from './charges.ts';
import { readInstant } from './detect-parameters.ts';
import { MonitorOnWire, monitorOnWire } from './detect-wire.ts';
import {
  ChangeParameters,
  CreateParameters,
  changeOf,
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
  domains: Type.Object(
    {
      removed: Type.Integer({
        description: 'domains that no other monitor matched, and that left the lists',
      }),
      remembered: Type.Integer({
        description:
          'those of them that were watched, ignored or escalated: if found again they are so again',
      }),
      blocked: Type.Integer({ description: 'those of them that stay on the blocklist' }),
    },
    { description: 'beyond the contract' },
  ),
});

const listAdvice = 'Following pages (with offset) do not count against it.';

/** For programs that poll, once an hour; and for people, beyond the contract, with the general limit. */
const lists = {
  polled: { id: 'getDetectMonitors', route: 'GET /intel-detect/monitors/', summary: 'Lists monitors' },
  interactive: {
    id: 'getDetectAllMonitors',
    route: 'GET /intel-detect/monitors/all/',
    summary: 'Lists monitors, for people: not bound to once an hour',
  },
} as const;

function listOperation(kind: keyof typeof lists, needs: MonitorOperationNeeds): Operation {
  const { settings } = needs;
  const isPolled = kind === 'polled';
  return defineOperation({
    ...lists[kind],
    family: families.detect,
    product: 'intel-detect-monitors',
    permission: 'read',
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
    charge: (context) =>
      context.parameters.offset || !isPolled
        ? generalCharge(context, settings)
        : listCharge(context, settings, listAdvice),
    handle: async ({ caller, parameters, nowMs }, query) => {
      const { offset: _offset, ...others } = parameters;
      const paging = {
        username: caller.user.username,
        // Pages of their own: a poll of the same query is not disturbed.
        query: queryDigest({ ...others, limit: query.limit, ...(isPolled ? {} : { interactive: true }) }),
        isFirstPage: query.offset === 0,
        rowsMax: monitorsMax,
        nowMs,
      };
      const { total, monitors } = await needs.monitors.listMonitors(caller.account.id, query, paging);
      return {
        total_count: total,
        offset: query.offset,
        limit: query.limit,
        monitors: monitors.map(monitorOnWire),
      };
    },
  });
}

export function monitorOperations(needs: MonitorOperationNeeds): readonly Operation[] {
  const { settings } = needs;

  const postDetectMonitor = defineOperation({
    id: 'postDetectMonitor',
    family: families.detect,
    route: 'POST /intel-detect/monitors/',
    product: 'intel-detect-monitors',
    permission: 'manage',
    summary: 'Creates a monitor of a term',
    errorCode: 'invalid-members',
    parameters: CreateParameters,
    response: MonitorResponse,
    parse: async ({ caller, parameters }) => {
      refuseCreatedInactive(parameters.state);
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
    parameters: Type.Object({
      monitor_id: Type.String(),
      forget: Type.Optional(
        Type.Boolean({
          description: 'forgets what was decided about its domains, which are then no longer blocked either',
        }),
      ),
    }),
    response: DeletedMonitorResponse,
    parse: async ({ caller, parameters: { monitor_id, forget = false } }) => {
      const { id } = await getMonitor(caller.account, monitor_id, needs);
      return { id, forget };
    },
    charge: (context) => generalCharge(context, settings),
    handle: async ({ caller }, { id, forget }) => {
      const { removed, remembered, blocked } = await deleteMonitor(caller.account, { id, forget }, needs);
      return { status: 'deleted', monitor: { id }, domains: { removed, remembered, blocked } };
    },
  });

  return [
    listOperation('polled', needs),
    postDetectMonitor,
    putDetectMonitor,
    deleteDetectMonitor,
    listOperation('interactive', needs),
  ];
}

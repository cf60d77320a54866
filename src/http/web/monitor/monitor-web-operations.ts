/** Monitors in the web UI, through the same functions as the platform API. Counts are at `/detect/counts`. */
import { Type } from 'typebox';
import type { Monitor } from '../../../model/detect/watchlist.ts';
import {
  createMonitor,
  deleteMonitor,
  getMonitor,
  type MonitorNeeds,
  monitorsMax,
  noSuchMonitor,
  refuseOtherTerm,
  refuseTooManyMonitors,
  updateMonitor,
} from '../../../product/detect/monitors.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import { declaredOnWire } from '../../platform/detect/detect-wire.ts';
import {
  ChangeParameters,
  CreateParameters,
  changeOf,
  monitorSettingsOf,
} from '../../platform/detect/monitor-parameters.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { type BackTestWebNeeds, backTestWebOperation } from './back-test-web-operation.ts';
import { DeletedMonitorView, MonitorDetails, MonitorList, MonitorView } from './monitor-wire.ts';
import { type OwnDomainWebNeeds, ownDomainWebOperations } from './own-domain-web-operations.ts';
import { type PreviewWebNeeds, previewWebOperation } from './preview-web-operation.ts';

export interface MonitorWebNeeds extends OwnDomainWebNeeds, PreviewWebNeeds, BackTestWebNeeds {
  readonly monitors: MonitorNeeds['monitors'] &
    Pick<MonitorStore, 'countMatches'> &
    OwnDomainWebNeeds['monitors'] &
    PreviewWebNeeds['monitors'] &
    BackTestWebNeeds['monitors'];
}

const MonitorParams = Type.Object({ id: Type.String({ maxLength: 100 }) });
const common = { product: 'intel-detect-monitors', charge: 'page' } as const;

export function monitorWebOperations(needs: MonitorWebNeeds): readonly WebOperation[] {
  return [
    // Before `/monitors/:id`, whose parameter would match.
    previewWebOperation(needs),
    backTestWebOperation(needs),
    ...readOperations(needs),
    ...writeOperations(needs),
    ...ownDomainWebOperations(needs),
  ];
}

function readOperations(needs: MonitorWebNeeds): readonly WebOperation[] {
  const { monitors } = needs;
  const list = defineWebOperation({
    ...common,
    method: 'GET',
    path: '/monitors',
    access: 'read',
    summary: 'All monitors of the account, by term',
    answer: MonitorList,
    handle: async ({ caller }) => {
      const query = { sort: ['term'], descending: false, offset: 0, limit: monitorsMax } as const;
      const { total, monitors: found } = await monitors.listMonitors(caller.account.id, query);
      return { monitors: found.map(monitorView), total };
    },
  });

  const details = defineWebOperation({
    ...common,
    method: 'GET',
    path: '/monitors/:id',
    access: 'read',
    summary: 'A monitor, and what hangs on it',
    params: MonitorParams,
    answer: MonitorDetails,
    handle: async ({ params: { id }, caller }) => {
      const monitor = await getMonitor(caller.account, id, needs);
      const counts = await monitors.countMatches(caller.account.id, id);
      if (!counts) throw noSuchMonitor();
      const { removed, remembered, blocked } = counts.alone;
      return {
        monitor: monitorView(monitor),
        domains: counts.domains,
        alone: { domains: removed, decided: remembered, blocked },
      };
    },
  });

  return [list, details];
}

function writeOperations(needs: MonitorWebNeeds): readonly WebOperation[] {
  const create = defineWebOperation({
    ...common,
    method: 'POST',
    path: '/monitors',
    access: 'manage',
    summary: 'Creates a monitor',
    body: Type.Omit(CreateParameters, ['state']),
    answer: MonitorView,
    handle: async ({ body, caller, nowMs, reply }) => {
      await refuseTooManyMonitors(caller.account, needs);
      const monitor = await createMonitor(caller, monitorSettingsOf(body), needs, nowMs);
      reply.code(201);
      return monitorView(monitor);
    },
  });

  const change = defineWebOperation({
    ...common,
    method: 'PATCH',
    path: '/monitors/:id',
    access: 'manage',
    summary: 'Changes, pauses or resumes a monitor',
    params: MonitorParams,
    body: Type.Omit(ChangeParameters, ['monitor_id']),
    answer: MonitorView,
    handle: async ({ params: { id }, body, caller, nowMs }) => {
      refuseOtherTerm(await getMonitor(caller.account, id, needs), body.term?.trim());
      const changed = await updateMonitor(caller.account, { id, change: changeOf(body) }, needs, nowMs);
      return monitorView(changed);
    },
  });

  const remove = defineWebOperation({
    ...common,
    method: 'DELETE',
    path: '/monitors/:id',
    access: 'manage',
    summary: 'Deletes a monitor; blocked domains stay blocked unless keep_blocks is false',
    params: MonitorParams,
    query: Type.Object({ keep_blocks: Type.Optional(Type.Boolean()) }),
    answer: DeletedMonitorView,
    handle: async ({ params: { id }, query: { keep_blocks = true }, caller, nowMs }) => {
      const deletion = keep_blocks ? { id } : { id, unblockedMs: nowMs };
      const { removed, remembered, blocked } = await deleteMonitor(caller.account, deletion, needs);
      return { id, removed, remembered, blocked };
    },
  });

  return [create, change, remove];
}

function monitorView(monitor: Monitor): MonitorView {
  return {
    id: monitor.id,
    term: monitor.term,
    match_substring_variations: monitor.matchSubstringVariations,
    nameserver_exclusions: [...monitor.nameserverExclusions],
    text_exclusions: [...monitor.textExclusions],
    passive_only: monitor.passiveOnly ?? false,
    state: monitor.state,
    status: monitor.status,
    searched: { names: monitor.searched.names, of_names: monitor.searched.ofNames },
    ...declaredOnWire(monitor),
    created_by: monitor.createdBy,
    created_at: new Date(monitor.createdMs).toISOString(),
    updated_at: new Date(monitor.updatedMs).toISOString(),
  };
}

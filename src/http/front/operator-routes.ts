/** Liveness, readiness and metrics of the process. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { containsAddress } from '../../model/address/address-list.ts';
import type { ProcessState } from '../../model/health/process-state.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { StoreFault } from '../../store/engine/store-fault.ts';
import type { FreeSpace } from '../../store/free-space.ts';
import type { Metrics } from '../metrics.ts';
import { isDirect } from './direct-client.ts';
import { hostCheck } from './host-check.ts';

/**
 * Everything the server needs is opened before it listens. It answers from then on, but is ready only when work that is done once is done, and
 * until a stop signal arrives. Stores that are a network away may be lost meanwhile, and then another node may answer.
 */
export interface Readiness {
  readonly state: 'starting' | 'ready' | 'draining';
}

interface OperatorNeeds {
  readonly settings: Pick<Settings, 'http'>;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly freeSpace: Pick<FreeSpace, 'state'>;
  readonly findFaults?: (() => Promise<readonly StoreFault[]>) | undefined;
  readonly findUnsealedBytes?: (() => Promise<number>) | undefined;
  readonly processes?: () => readonly ProcessState[];
}

export function operatorRoutes(app: FastifyInstance, needs: OperatorNeeds): void {
  const { settings, metrics, readiness, freeSpace } = needs;
  watchSpace(needs);
  watchStores(needs);
  if (needs.processes) watchProcesses(needs.processes, metrics);
  /** Reads still work, so a load balancer should keep sending requests. */
  const statusOr = (status: string, faults: readonly StoreFault[] = []) => {
    const lacks = {
      ...(freeSpace.state().isLow ? { storage: 'low' } : {}),
      ...missingWorker(needs),
      ...Object.fromEntries(faults.map(({ part, message }) => [part, message])),
    };
    return Object.keys(lacks).length === 0 ? { status } : { status: 'degraded', ...lacks };
  };
  const config = (operation: string, access: 'open' | 'operator') =>
    ({ access, operation, scope: 'front' }) as const;

  app.get(
    '/healthz',
    { config: config('healthz', 'open'), exposeHeadRoute: true, schema: { hide: true } },
    async () => statusOr('ok'),
  );

  app.get(
    '/readyz',
    { config: config('readyz', 'open'), exposeHeadRoute: true, schema: { hide: true } },
    async (_request, reply) => {
      if (readiness.state !== 'ready') return reply.code(503).send({ status: readiness.state });
      const faults = (await needs.findFaults?.()) ?? [];
      const answer = statusOr('ready', faults);
      if (faults.every(({ isPartial }) => isPartial)) return answer;
      return reply.code(503).send({ ...answer, status: 'not ready' });
    },
  );

  const isOwnHost = hostCheck(settings.http);
  app.get(
    '/metrics',
    { config: config('metrics', 'operator'), schema: { hide: true } },
    async (request, reply) => {
      if (!isOperator(request, settings)) {
        throw new Problem('no-such-path', 'There is nothing at this path.');
      }
      if (!isOwnHost(request.headers.host ?? '')) {
        throw new Problem(
          'malformed-request',
          'The Host header has a name that this server does not know. Use an address, or add the name to http.operatorHosts.',
        );
      }
      return reply.type(metrics.contentType).send(await metrics.text());
    },
  );
}

function watchSpace({ metrics, freeSpace }: OperatorNeeds): void {
  metrics.watch(
    'nameglass_storage',
    'Disk space of the data directory, and whether ingest has stopped for lack of it.',
    () => {
      const { isLow, ...bytes } = freeSpace.state();
      return { ...bytes, low: isLow ? 1 : 0 };
    },
  );
}

/** While the database does not answer, its values are missing and the others are served. */
function watchStores({ metrics, findFaults, findUnsealedBytes }: OperatorNeeds): void {
  if (!findFaults || !findUnsealedBytes) return;
  metrics.watch(
    'nameglass_distributed_stores',
    'What distributed stores lack at the moment, and bytes of streams that wait in PostgreSQL for the object store.',
    async () => {
      const faults = (await findFaults()).length;
      const bytes = await findUnsealedBytes().catch(() => undefined);
      return { faults, ...(bytes === undefined ? {} : { unsealedBytes: bytes }) };
    },
  );
}

/** Nothing is collected while it does not run. */
function missingWorker({ processes }: Pick<OperatorNeeds, 'processes'>): { readonly worker?: string } {
  const worker = processes?.().find(({ role }) => role === 'worker');
  return worker && worker.state !== 'running' ? { worker: worker.state } : {};
}

function watchProcesses(processes: () => readonly ProcessState[], metrics: Metrics): void {
  metrics.watch(
    'nameglass_supervisor',
    'Whether the processes of the server run, and how often each was started again.',
    () =>
      Object.fromEntries(
        processes().flatMap(({ role, state, restarts }) => [
          [`${role}_running`, state === 'running' ? 1 : 0],
          [`${role}_restarts`, restarts],
        ]),
      ),
  );
}

function isOperator(request: FastifyRequest, { http }: Pick<Settings, 'http'>): boolean {
  return isDirect(request, http) && containsAddress(http.operatorAddresses, request.ip);
}

/** Liveness, readiness and metrics of the process. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { containsAddress } from '../../model/address/address-list.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { Metrics } from '../metrics.ts';

/** Ready until a stop signal arrives: everything the server needs is opened before it listens. */
export interface Readiness {
  readonly draining: boolean;
}

interface OperatorNeeds {
  readonly settings: Pick<Settings, 'http'>;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

export function operatorRoutes(app: FastifyInstance, { settings, metrics, readiness }: OperatorNeeds): void {
  const config = (operation: string, access: 'open' | 'operator') =>
    ({ access, operation, scope: 'front' }) as const;

  app.get(
    '/healthz',
    { config: config('healthz', 'open'), exposeHeadRoute: true, schema: { hide: true } },
    async () => ({
      status: 'ok',
    }),
  );

  app.get(
    '/readyz',
    { config: config('readyz', 'open'), exposeHeadRoute: true, schema: { hide: true } },
    async (_request, reply) => {
      if (readiness.draining) return reply.code(503).send({ status: 'draining' });
      return { status: 'ready' };
    },
  );

  app.get(
    '/metrics',
    { config: config('metrics', 'operator'), schema: { hide: true } },
    async (request, reply) => {
      if (!isOperator(request, settings)) {
        throw new Problem('no-such-path', 'There is nothing at this path.');
      }
      return reply.type(metrics.contentType).send(await metrics.text());
    },
  );
}

/** Behind an untrusted proxy every client has the proxy's address; such a proxy is recognized by the headers it adds. */
function isOperator(request: FastifyRequest, { http }: Pick<Settings, 'http'>): boolean {
  const forwarded = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'].some(
    (name) => name in request.headers,
  );
  if (forwarded && http.trustProxy.length === 0) return false;
  return containsAddress(http.operatorAddresses, request.ip);
}

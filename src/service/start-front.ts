/** What answers requests: the HTTP server and the transfer of blocklists as zones. */
import type { AddressInfo } from 'node:net';
import type { Readiness } from '../http/front/operator-routes.ts';
import type { Metrics } from '../http/metrics.ts';
import { createServer } from '../http/server.ts';
import { Problem } from '../model/problem.ts';
import type { PipelineNeeds } from '../pipeline/pipeline-needs.ts';
import { PasswordHasher } from '../product/people/password-hasher.ts';
import { openZoneTransfer } from '../zone-transfer/open-zone-transfer.ts';
import { endStart } from './small-heap.ts';
import type { Supervision } from './start-service.ts';

export interface FrontNeeds extends Omit<PipelineNeeds, 'metrics' | 'processName'> {
  readonly metrics: Metrics;
  readonly logLine: ((fields: object) => void) | undefined;
  readonly appDirectory: string;
  readonly supervision: Supervision | undefined;
}

export interface Front {
  /** Resolves with the base URL. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** Those who start a server and wait for its first answer get it before that. */
const warmUpDelayMs = 300;

export async function openFront(needs: FrontNeeds): Promise<Front> {
  const { settings, stores, riskScorer, metrics, logger, supervision } = needs;
  const link = supervision?.link;
  const readiness: { state: Readiness['state'] } = { state: 'starting' };
  const warmUps: (() => Promise<void>)[] = [];
  if (link) metrics.addSource(() => link.readWorkerMetrics());
  const server = await createServer({
    ...stores,
    ...needs,
    riskScorer: () => riskScorer.load(),
    readiness,
    passwords: new PasswordHasher(),
    processes: () => link?.processes() ?? [],
    warmUpWith: (work) => void warmUps.push(work),
  });
  let zoneTransfer: Awaited<ReturnType<typeof openZoneTransfer>> | undefined;
  const { host, port, drainSeconds } = settings.http;
  const becomeReady = () => {
    endStart({ mayGrow: true });
    if (readiness.state === 'starting') readiness.state = 'ready';
  };
  let warmingUp: NodeJS.Timeout | undefined;
  /** Takes some tenths of a second. A client that asks meanwhile waits no longer than if the server began to listen afterwards. */
  const warmUp = async () => {
    try {
      for (const work of warmUps) await work();
    } catch (error) {
      logger.error({ err: error }, 'what takes time at first could not be done before');
    }
    becomeReady();
  };
  return {
    async listen() {
      zoneTransfer = await openZoneTransfer({ ...stores, ...needs });
      // Before there is an account nobody can ask for what takes time at first, and it takes memory too.
      const isUsed = (await stores.accounts.listUsers({ limit: 1 })).length > 0;
      if (!isUsed) becomeReady();
      await server.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error;
        throw new Problem('unavailable', `port ${port} on ${host} is taken; choose another with --port N`);
      });
      const { port: bound } = server.addresses()[0] as AddressInfo;
      const shown = host.includes(':') ? `[${host}]` : host;
      if (isUsed) warmingUp = setTimeout(() => void warmUp(), warmUpDelayMs).unref();
      return `http://${shown}:${bound}`;
    },
    async close() {
      readiness.state = 'draining';
      clearTimeout(warmingUp);
      const deadline = setTimeout(() => server.server.closeAllConnections(), drainSeconds * 1000);
      await Promise.all([server.close(), zoneTransfer?.close()]);
      clearTimeout(deadline);
    },
  };
}

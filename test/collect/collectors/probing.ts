/** Helpers for tests of collectors: a dialer to loopback, a throttle that never waits, and a probe request. */

import type { ProbeRequest } from '../../../src/collect/collectors/collector.ts';
import type { HostThrottle } from '../../../src/concurrency/host-throttle.ts';
import { createDialer, type Dialer } from '../../../src/outgoing/guarded-dialer.ts';

export const loopbackRange = '127.0.0.0/8';

/** Every name resolves to these addresses. */
export function loopbackDialer(
  ports: { readonly http?: number; readonly https?: number },
  resolve: (host: string) => Promise<readonly string[]> = async () => ['127.0.0.1'],
): Dialer {
  const { http = 1, https = 1 } = ports;
  return createDialer({
    settings: { outgoing: { allow: [loopbackRange] } },
    resolve,
    ports: { http, https },
  });
}

export const noThrottle: Pick<HostThrottle, 'run'> = { run: (_server, _signal, work) => work() };

export function probeRequest(
  domain: string,
  signal: AbortSignal = new AbortController().signal,
): ProbeRequest {
  return { domain, known: { domain }, nowMs: Date.parse('2026-03-04T10:11:12Z'), signal };
}

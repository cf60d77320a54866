/** What tests of collectors look with: a dialer into this machine, and turns that come at once. */
import type { Look, Politeness } from '../../../src/collect/collectors/collector.ts';
import { createDialer, type Dialer } from '../../../src/outgoing/guarded-dialer.ts';

export const loopbackRange = '127.0.0.0/8';

/** Every name leads to these addresses. */
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

export const noWaiting: Politeness = { turn: (_server, _signal, work) => work() };

export function lookAt(domain: string, signal: AbortSignal = new AbortController().signal): Look {
  return { domain, known: { domain }, nowMs: Date.parse('2026-03-04T10:11:12Z'), signal };
}

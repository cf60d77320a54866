/**
 * Probes the TLS certificates of a domain's web server. Nothing is verified: an invalid certificate is just as informative. That no
 * server speaks TLS is a finding; a timeout is a failure.
 */
import { yieldIfIterationIsFull } from '../../../concurrency/event-loop-slices.ts';
import type { HostThrottle } from '../../../concurrency/host-throttle.ts';
import type { Clock } from '../../../model/clock.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { Dialer } from '../../../outgoing/guarded-dialer.ts';
import type { Collector, ProbeRequest, ProbeResult } from '../collector.ts';
import { classifyFailure, meansAbsent } from '../connection-failure.ts';
import { certificatesOf } from './certificate-of.ts';
import { findPresentedChain } from './presented-chain.ts';

export interface TlsCollectorNeeds {
  readonly dialer: Pick<Dialer, 'connect'>;
  readonly throttle: Pick<HostThrottle, 'run'>;
  readonly settings: { readonly collect: Pick<Settings['collect'], 'httpsPort' | 'lookSeconds'> };
  readonly clock: Clock;
}

const stepMsMax = 10_000;

export function createTlsCollector({ dialer, throttle, settings, clock }: TlsCollectorNeeds): Collector {
  const { httpsPort: port, lookSeconds } = settings.collect;
  const timeoutMs = Math.min(stepMsMax, Math.floor((lookSeconds * 1000) / 3));

  const handshake = async ({ domain, signal, keepRaw }: ProbeRequest): Promise<ProbeResult> => {
    const { socket, address } = await dialer.connect({ host: domain, port, timeoutMs, signal });
    try {
      const chain = await findPresentedChain({ socket, host: domain, timeoutMs, signal });
      if (!chain) return failed(`${domain} did not finish the TLS handshake`);
      for (const [at, { raw }] of chain.entries())
        keepRaw?.({
          kind: 'certificate',
          asked: `${domain}:${port}`,
          address,
          request: `TLS handshake with server name ${domain}; certificate ${at + 1} of ${chain.length}`,
          mediaType: 'application/pkix-cert',
          bytes: raw,
          isTruncated: false,
        });
      await yieldIfIterationIsFull();
      return found({ ssl_info: certificatesOf(chain, clock.now()) });
    } catch (error) {
      signal.throwIfAborted();
      if (meansAbsent(error)) return found({});
      return failed(`${domain}: ${error instanceof Error ? error.message : 'the TLS handshake failed'}`);
    }
  };

  return {
    name: 'tls',
    members: ['ssl_info'],
    probe: async (request) => {
      const server = request.known.ip?.[0]?.address ?? request.domain;
      try {
        return await throttle.run(server, request.signal, () => handshake(request));
      } catch (error) {
        request.signal.throwIfAborted();
        const { kind, reason } = classifyFailure(error);
        if (kind === 'absent') return found({});
        return { ...failed(reason), isTransient: kind === 'transient' };
      }
    },
  };
}

type Found = Extract<ProbeResult, { outcome: 'found' }>;
type Failed = Extract<ProbeResult, { outcome: 'failed' }>;

function found(part: Found['part']): Found {
  return { outcome: 'found', part };
}

function failed(reason: string): Failed {
  return { outcome: 'failed', reason, isTransient: true };
}

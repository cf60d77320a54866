/**
 * Looks at the certificates of a domain's web server. Nothing is verified: a certificate that nobody should trust tells as much. That
 * nobody speaks TLS there is found, too; that somebody takes too long is not.
 */
import type { Clock } from '../../../model/clock.ts';
import type { Settings } from '../../../model/settings.ts';
import type { Dialer } from '../../../outgoing/guarded-dialer.ts';
import type { Collector, Look, LookOutcome, Politeness } from '../collector.ts';
import { isAbsence, noAnswerOf } from '../no-answer.ts';
import { certificatesOf } from './certificate-of.ts';
import { findPresentedChain } from './presented-chain.ts';

export interface TlsCollectorNeeds {
  readonly dialer: Pick<Dialer, 'connect'>;
  readonly politeness: Politeness;
  readonly settings: { readonly collect: Pick<Settings['collect'], 'httpsPort' | 'lookSeconds'> };
  readonly clock: Clock;
}

const stepMsMax = 10_000;

export function createTlsCollector({ dialer, politeness, settings, clock }: TlsCollectorNeeds): Collector {
  const { httpsPort: port, lookSeconds } = settings.collect;
  const timeoutMs = Math.min(stepMsMax, Math.floor((lookSeconds * 1000) / 3));

  const shake = async ({ domain, signal }: Look): Promise<LookOutcome> => {
    const { socket } = await dialer.connect({ host: domain, port, timeoutMs, signal });
    try {
      const chain = await findPresentedChain({ socket, host: domain, timeoutMs, signal });
      if (!chain) return failed(`${domain} did not finish the TLS handshake`);
      return found({ ssl_info: certificatesOf(chain, clock.now()) });
    } catch (error) {
      signal.throwIfAborted();
      if (isAbsence(error)) return found({});
      return failed(`${domain}: ${error instanceof Error ? error.message : 'the TLS handshake failed'}`);
    }
  };

  return {
    name: 'tls',
    members: ['ssl_info'],
    look: async (look) => {
      const server = look.known.ip?.[0]?.address ?? look.domain;
      try {
        return await politeness.turn(server, look.signal, () => shake(look));
      } catch (error) {
        look.signal.throwIfAborted();
        const { meaning, reason } = noAnswerOf(error);
        if (meaning === 'absent') return found({});
        return { ...failed(reason), isPassing: meaning === 'passing' };
      }
    },
  };
}

type Found = Extract<LookOutcome, { outcome: 'found' }>;
type Failed = Extract<LookOutcome, { outcome: 'failed' }>;

function found(part: Found['part']): Found {
  return { outcome: 'found', part };
}

function failed(reason: string): Failed {
  return { outcome: 'failed', reason, isPassing: true };
}

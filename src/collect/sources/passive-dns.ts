/** Domains that passive DNS has found, sensors and zone files alike, as one source of names among others. */
import type { Clock } from '../../model/clock.ts';
import { foundDomainsStream } from '../../model/stream-names.ts';
import { type ConsumeNeeds, consumeStream } from '../../store/consume-stream.ts';
import type { NameSource } from './source.ts';

export interface PassiveDnsNeeds extends ConsumeNeeds {
  readonly clock: Clock;
}

const everyMs = 1000;
const reader = { stream: foundDomainsStream, name: 'passive-dns' } as const;

export function createPassiveDnsSource(needs: PassiveDnsNeeds): NameSource {
  const name = 'passive-dns';
  return {
    name,
    everyMs,
    advance: async (intake) => {
      // Another process may be at it, and that is as well. The place is that of the reader; what comes twice is known already.
      await consumeStream(reader, needs, async ({ bytes }) => {
        const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
        await intake.take(name, { names: lines.split('\n').filter(Boolean), seenMs: needs.clock.now() });
      });
    },
  };
}

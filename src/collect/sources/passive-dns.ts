/** Domains newly observed by passive DNS (sensors and zone files) as a source of names. */
import type { Clock } from '../../model/clock.ts';
import { foundDomainsStream } from '../../model/stream-names.ts';
import { type ConsumeNeeds, consumeStream } from '../../store/stream/consume-stream.ts';
import type { NameSource } from './source.ts';

export interface PassiveDnsNeeds extends ConsumeNeeds {
  readonly clock: Clock;
}

const everyMs = 1000;
const consumer = { stream: foundDomainsStream, name: 'passive-dns' } as const;

export function createPassiveDnsSource(needs: PassiveDnsNeeds): NameSource {
  const name = 'passive-dns';
  return {
    name,
    everyMs,
    poll: async (intake) => {
      // Another process may hold the lease. The checkpoint is the consumer offset; ingesting is idempotent.
      await consumeStream(consumer, needs, async ({ bytes }) => {
        const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
        await intake.ingest(name, { names: lines.split('\n').filter(Boolean), seenMs: needs.clock.now() });
      });
    },
  };
}

import type { Clock } from '../../model/clock.ts';
import type { DnsError } from '../../model/dns/dns-error.ts';
import type { Rrset } from '../../model/dns/rrset.ts';
import type { Intake } from '../../store/rrset-store.ts';
import type { ErrorIntake } from '../dns-errors/error-intake.ts';
import { BatchedFlush } from './batched-flush.ts';
import { type MalformedReason, observationsOf, type ResponseKind } from './observations-of.ts';

export type FrameIntakeEvent =
  | { readonly event: 'malformed-frame'; readonly reason: MalformedReason; readonly malformed: number }
  | { readonly event: 'failed'; readonly error: unknown };

export interface FrameIntakeNeeds {
  readonly intake: Pick<Intake, 'add' | 'flush'>;
  /** Where answers with an error go; without it they are counted only. */
  readonly errors?: Pick<ErrorIntake, 'add' | 'flush'> | undefined;
  readonly clock: Clock;
  report(event: FrameIntakeEvent): void;
}

/** A writer that only sends nonsense shall not fill the log. */
const malformedPerReport = 1000;

/** Where the frames of all connections come together: what they say goes to the store, what they do not say is counted. */
export class FrameIntake {
  readonly #needs: FrameIntakeNeeds;
  readonly #kinds: readonly ResponseKind[];
  readonly #flush: BatchedFlush;
  readonly #counts = { frames: 0, observations: 0, errors: 0, ignored: 0, malformed: 0 };

  constructor(needs: FrameIntakeNeeds, kinds: readonly ResponseKind[], flushSeconds: number) {
    this.#needs = needs;
    this.#kinds = kinds;
    this.#flush = new BatchedFlush({ flush: () => flushBoth(needs) }, flushSeconds, (error) =>
      needs.report({ event: 'failed', error }),
    );
  }

  /** A promise when the store is behind: no further frame before it has room. */
  take(frame: Uint8Array): Promise<void> | undefined {
    const reading = observationsOf(frame, Math.floor(this.#needs.clock.now() / 1000), this.#kinds);
    this.#counts.frames++;
    if (reading.outcome === 'observed') return this.#add(reading.rrsets, 0);
    if (reading.outcome === 'error') return this.#addError(reading.error);
    this.#counts[reading.outcome]++;
    const { malformed } = this.#counts;
    if (reading.outcome === 'malformed' && malformed % malformedPerReport === 1)
      this.#needs.report({ event: 'malformed-frame', reason: reading.reason, malformed });
    return undefined;
  }

  #add(rrsets: readonly Rrset[], from: number): Promise<void> | undefined {
    for (const [index, rrset] of rrsets.entries()) {
      if (index < from) continue;
      const room = this.#needs.intake.add(rrset);
      this.#counts.observations++;
      this.#flush.want();
      if (room) return room.then(() => this.#add(rrsets, index + 1));
    }
    return undefined;
  }

  #addError(error: DnsError): Promise<void> | undefined {
    this.#counts.errors++;
    const { errors } = this.#needs;
    if (!errors) return undefined;
    const room = errors.add(error);
    this.#flush.want();
    // It may have been taken only then.
    return room?.then(() => this.#flush.want());
  }

  /** Resolves when all that was taken before is durable. */
  flush(): Promise<void> {
    return this.#flush.now();
  }

  stop(): void {
    this.#flush.stop();
  }

  counts(): Readonly<Record<'frames' | 'observations' | 'errors' | 'ignored' | 'malformed', number>> {
    return { ...this.#counts };
  }
}

/** One that fails does not keep the other from becoming durable. */
async function flushBoth({ intake, errors }: FrameIntakeNeeds): Promise<void> {
  const outcomes = await Promise.allSettled([intake.flush(), errors?.flush()]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

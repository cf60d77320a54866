import type { Clock } from '../../model/clock.ts';
import type { DnsError } from '../../model/dns/dns-error.ts';
import type { Rrset } from '../../model/dns/rrset.ts';
import type { Intake } from '../../store/rrset-store.ts';
import type { ErrorIntake } from '../dns-errors/error-intake.ts';
import { BatchedFlush } from './batched-flush.ts';
import type { ClientCounter } from './client-counter.ts';
import { type MalformedReason, observationsOf, type ResponseKind } from './observations-of.ts';

export type FrameIntakeEvent =
  | { readonly event: 'malformed-frame'; readonly reason: MalformedReason; readonly malformed: number }
  | { readonly event: 'failed'; readonly error: unknown };

export interface FrameIntakeNeeds {
  readonly intake: Pick<Intake, 'add' | 'flush'>;
  /** Receives error responses; without it they are only counted. */
  readonly errors?: Pick<ErrorIntake, 'add' | 'flush'> | undefined;
  /** Counts distinct clients; without it their addresses are not read. */
  readonly clients?: Pick<ClientCounter, 'add'> | undefined;
  readonly clock: Clock;
  report(event: FrameIntakeEvent): void;
}

/** Malformed frames per log entry, so that a faulty writer cannot flood the log. */
const malformedPerReport = 1000;

/** Ingests the frames of all connections: observations go to the store, errors to the error intake, the rest is counted. */
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

  /** Backpressure: a promise to await before the next frame when the store is behind. */
  ingest(frame: Uint8Array): Promise<void> | undefined {
    const { clock, clients } = this.#needs;
    const seconds = Math.floor(clock.now() / 1000);
    const result = observationsOf(frame, seconds, this.#kinds, clients !== undefined);
    this.#counts.frames++;
    if (result.outcome === 'observed' && result.client) clients?.add(result.rrsets, result.client);
    if (result.outcome === 'observed') return this.#add(result.rrsets, 0);
    if (result.outcome === 'error') return this.#addError(result.error);
    this.#counts[result.outcome]++;
    const { malformed } = this.#counts;
    if (result.outcome === 'malformed' && malformed % malformedPerReport === 1)
      this.#needs.report({ event: 'malformed-frame', reason: result.reason, malformed });
    return undefined;
  }

  #add(rrsets: readonly Rrset[], from: number): Promise<void> | undefined {
    for (const [index, rrset] of rrsets.entries()) {
      if (index < from) continue;
      const room = this.#needs.intake.add(rrset);
      this.#counts.observations++;
      this.#flush.schedule();
      if (room) return room.then(() => this.#add(rrsets, index + 1));
    }
    return undefined;
  }

  #addError(error: DnsError): Promise<void> | undefined {
    this.#counts.errors++;
    const { errors } = this.#needs;
    if (!errors) return undefined;
    const room = errors.add(error);
    this.#flush.schedule();
    // The error is added only after that wait.
    return room?.then(() => this.#flush.schedule());
  }

  /** Resolves when everything ingested before is durable. */
  flush(): Promise<void> {
    return this.#flush.flush();
  }

  stop(): void {
    this.#flush.stop();
  }

  counts(): Readonly<Record<'frames' | 'observations' | 'errors' | 'ignored' | 'malformed', number>> {
    return { ...this.#counts };
  }
}

/** A failure of one does not prevent the other from becoming durable. */
async function flushBoth({ intake, errors }: FrameIntakeNeeds): Promise<void> {
  const outcomes = await Promise.allSettled([intake.flush(), errors?.flush()]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

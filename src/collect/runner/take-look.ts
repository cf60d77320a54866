/** One look of one collector, which ends when its time is over, whether the collector heeds it or not. */
import type { Collector, Look, LookOutcome } from '../collectors/collector.ts';
import { inTime, TookTooLong } from '../jobs/in-time.ts';

export interface LookResult {
  readonly collector: Collector;
  readonly outcome: LookOutcome;
  /** It took too long. */
  readonly isAbandoned: boolean;
}

export interface LookNeeds {
  readonly lookMs: number;
  /** The end of everything: then its reason is thrown. */
  readonly signal: AbortSignal;
  /** Hears of what a collector throws; the look has failed. */
  readonly onFailure: (error: unknown) => void;
}

/** For a collector to say itself what was in its way. */
const graceMs = 500;

export async function takeLook(
  collector: Collector,
  look: Omit<Look, 'signal'>,
  { lookMs, signal: stop, onFailure }: LookNeeds,
): Promise<LookResult> {
  try {
    const limits = { stop, deadlineMs: lookMs, graceMs };
    const outcome = await inTime((signal) => collector.look({ ...look, signal }), limits);
    if (!isOutcome(outcome)) throw new TypeError(`${collector.name} gave no outcome`);
    return { collector, outcome, isAbandoned: false };
  } catch (error) {
    stop.throwIfAborted();
    const isAbandoned = error instanceof TookTooLong;
    if (!isAbandoned) onFailure(error);
    const reason = error instanceof Error ? error.message : String(error);
    return { collector, outcome: { outcome: 'failed', reason, isPassing: true }, isAbandoned };
  }
}

/** A collector lives on what others send; a mistake in one must not become a record. */
function isOutcome(outcome: Partial<LookOutcome> | undefined): boolean {
  if (outcome?.outcome === 'failed') return true;
  return outcome?.outcome === 'found' && typeof outcome.part === 'object' && outcome.part !== null;
}

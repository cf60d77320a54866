/** Runs one probe of one collector, which ends at its deadline whether the collector heeds its signal or not. */
import type { Collector, ProbeRequest, ProbeResult } from '../../collect/collectors/collector.ts';
import { DeadlineExceeded, withDeadline } from '../../concurrency/deadline.ts';

export interface CompletedProbe {
  readonly collector: Collector;
  readonly outcome: ProbeResult;
  readonly hasTimedOut: boolean;
}

export interface RunProbeOptions {
  readonly deadlineMs: number;
  /** Shutdown: its reason is thrown. */
  readonly signal: AbortSignal;
  /** Error callback for what a collector throws; the probe has failed. */
  readonly onFailure: (error: unknown) => void;
}

/** For a collector to report by itself what it was waiting for. */
const graceMs = 500;

export async function runProbe(
  collector: Collector,
  request: Omit<ProbeRequest, 'signal'>,
  { deadlineMs, signal: stop, onFailure }: RunProbeOptions,
): Promise<CompletedProbe> {
  try {
    const limits = { stop, deadlineMs: deadlineMs, graceMs };
    const outcome = await withDeadline((signal) => collector.probe({ ...request, signal }), limits);
    if (!isProbeResult(outcome)) throw new TypeError(`${collector.name} gave no valid result`);
    return { collector, outcome, hasTimedOut: false };
  } catch (error) {
    stop.throwIfAborted();
    const hasTimedOut = error instanceof DeadlineExceeded;
    if (!hasTimedOut) onFailure(error);
    const reason = error instanceof Error ? error.message : String(error);
    return { collector, outcome: { outcome: 'failed', reason, isTransient: true }, hasTimedOut };
  }
}

/** Collectors parse untrusted input; a bug in one must not end up in a record. */
function isProbeResult(outcome: Partial<ProbeResult> | undefined): boolean {
  if (outcome?.outcome === 'failed') return true;
  return outcome?.outcome === 'found' && typeof outcome.part === 'object' && outcome.part !== null;
}

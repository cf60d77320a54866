/** One part per collector. A domain that does not answer is no fault of the collector; many in a row may be. */
import type { Collector } from '../../collect/collectors/collector.ts';
import type { CompletedProbe } from '../collection/run-probe.ts';
import type { HealthReporter } from './health-reporter.ts';

const failuresUsual = 20;

export function collectorParts(
  collectors: readonly Collector[],
  health: Pick<HealthReporter, 'part'>,
): (probe: CompletedProbe) => void {
  const parts = new Map(
    collectors.map(({ name }) => [
      name,
      health.part({ kind: 'collector', name, unit: 'probes', failuresUsual }),
    ]),
  );
  return ({ collector, outcome, hasTimedOut }) => {
    const part = parts.get(collector.name);
    if (outcome.outcome === 'found' || !outcome.isTransient) part?.succeed(1);
    else part?.fail(hasTimedOut ? `a probe exceeded its deadline: ${outcome.reason}` : outcome.reason);
  };
}

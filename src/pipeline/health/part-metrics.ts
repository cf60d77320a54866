/** The same facts for Prometheus. Labels are the kinds and names of configured parts, so their number is bounded. */
import type { Clock } from '../../model/clock.ts';
import type { PartReport } from '../../model/health/part-report.ts';
import { partState } from '../../model/health/part-state.ts';
import type { MetricsRegistry } from '../pipeline-needs.ts';
import type { HealthReporter } from './health-reporter.ts';

export function registerPartMetrics(health: HealthReporter, metrics: MetricsRegistry, clock: Clock): void {
  const watch = (name: string, help: string, read: (part: PartReport) => number | undefined) =>
    metrics.watchParts(name, help, () =>
      health.parts().flatMap((part) => {
        const value = read(part);
        return value === undefined ? [] : [{ kind: part.kind, part: part.name, value }];
      }),
    );
  watch(
    'nameglass_part_total',
    'What each source, list, sensor, collector and stage has counted.',
    ({ total }) => total,
  );
  watch(
    'nameglass_part_failing',
    '1 for a source, list, sensor, collector or stage that fails or is late, else 0.',
    (part) => (['failing', 'late'].includes(partState(part, clock.now())) ? 1 : 0),
  );
  watch(
    'nameglass_part_last_success_seconds',
    'When each of them last succeeded, in seconds since 1970.',
    ({ lastSuccessMs }) => (lastSuccessMs === undefined ? undefined : lastSuccessMs / 1000),
  );
  watch(
    'nameglass_part_failures_in_row',
    'Failures of each of them since its last success.',
    ({ failuresInRow }) => failuresInRow,
  );
}

/** Puts the metrics of the processes of one server together, as if one process had them all. */
import { type Metric, Registry } from 'prom-client';

interface Value {
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  readonly value: number | null;
  readonly metricName?: string;
}

interface Family {
  readonly name: string;
  readonly type: unknown;
  readonly values: readonly Value[];
}

/** As `registry.getMetricsAsJSON()` has them, perhaps after a passage as JSON. */
export type MetricFamilies = readonly unknown[];

/**
 * The series of all processes. Of the same series in two of them, counters are added; of gauges the later process counts, because it does
 * the work that the earlier one only knows of.
 */
export function mergedText(processes: readonly MetricFamilies[]): Promise<string> {
  const registry = new Registry();
  const byName = Map.groupBy(processes.flat() as Family[], ({ name }) => name);
  for (const [name, families] of byName) {
    const values = mergedValues(families);
    const get = async () => ({ ...families[0], values });
    registry.registerMetric({ name, get } as unknown as Metric);
  }
  return registry.metrics();
}

function mergedValues(families: readonly Family[]): Value[] {
  const merged = new Map<string, Value>();
  for (const { type, values } of families)
    for (const value of values) {
      const labels = Object.entries(value.labels).map((label) => JSON.stringify(label));
      const key = [value.metricName, ...labels.sort()].join();
      const before = type === 'gauge' ? 0 : (merged.get(key)?.value ?? 0);
      // What is not a number is null in JSON.
      merged.set(key, { ...value, value: before + (value.value ?? Number.NaN) });
    }
  return [...merged.values()];
}

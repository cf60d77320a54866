/**
 * Prometheus metrics. Labels come from our own route table only, so their number is bounded. Requests are counted in
 * plain arrays, which is nearly free, and converted to the exposition format at scrape time.
 */
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { damageCounts } from '../store/damage.ts';
import { type MetricFamilies, mergedText } from './merge-metrics.ts';

type Numbers = Readonly<Record<string, number>>;

interface PartValue {
  readonly kind: string;
  readonly part: string;
  readonly value: number;
}

export interface Metrics {
  countRequest(scope: string, operation: string, status: number, elapsedMs: number): void;
  /** Adds a gauge whose values, each with its kind as label (in snake_case), are read at scrape time. */
  watch(name: string, help: string, read: () => Numbers | Promise<Numbers>): void;
  /** Adds a gauge with one value per part of the pipeline. */
  watchParts(name: string, help: string, read: () => readonly PartValue[]): void;
  /** Adds the values of another process, read at scrape time; undefined while it does not answer. */
  addSource(read: () => Promise<MetricFamilies | undefined>): void;
  readonly contentType: string;
  /** The values of this process, for another one to add. */
  families(): Promise<MetricFamilies>;
  text(): Promise<string>;
}

const boundsSeconds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

interface Series {
  readonly labels: { readonly scope: string; readonly operation: string; readonly status: number };
  /** Requests per histogram bucket; the last is for those above all bounds. */
  readonly counts: number[];
  sumSeconds: number;
}

interface MetricsOptions {
  /** Adds memory, garbage collection and event-loop delay; enable it once per process. */
  readonly process: boolean;
  /** A label of those values, where the processes of a server are scraped together. */
  readonly role?: string;
}

export function createMetrics({ process: withProcess, role }: MetricsOptions): Metrics {
  const registry = new Registry();
  const labels = role === undefined ? {} : { role };
  if (withProcess) collectDefaultMetrics({ register: registry, prefix: 'nameglass_', labels });
  const sources: (() => Promise<MetricFamilies | undefined>)[] = [];
  const known: Series[] = [];
  const findSeries = seriesFinder(known);
  registry.registerMetric(histogram(known) as unknown as Metric);
  registry.registerMetric(damageCounter());
  return {
    contentType: registry.contentType,
    countRequest(scope, operation, status, elapsedMs) {
      const series = findSeries(scope, operation, status);
      const seconds = elapsedMs / 1000;
      let bucket = 0;
      while (bucket < boundsSeconds.length && seconds > (boundsSeconds[bucket] as number)) bucket += 1;
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
      series.sumSeconds += seconds;
    },
    watch(name, help, read) {
      const collect = async function (this: Gauge) {
        for (const [kind, value] of Object.entries(await read())) this.set({ kind: snakeCase(kind) }, value);
      };
      registry.registerMetric(new Gauge({ name, help, labelNames: ['kind'], registers: [], collect }));
    },
    watchParts(name, help, read) {
      const collect = function (this: Gauge) {
        this.reset();
        for (const { kind, part, value } of read()) this.set({ kind, part }, value);
      };
      registry.registerMetric(
        new Gauge({ name, help, labelNames: ['kind', 'part'], registers: [], collect }),
      );
    },
    addSource: (read) => void sources.push(read),
    families: () => registry.getMetricsAsJSON(),
    async text() {
      const others = await Promise.all(sources.map((read) => read()));
      const added = others.filter((families) => families !== undefined);
      return added.length === 0 ? registry.metrics() : mergedText([await this.families(), ...added]);
    },
  };
}

/** By label after label: one name of all of them would have to be put together and hashed for every request. */
function seriesFinder(known: Series[]) {
  const scopes = new Map<string, Map<string, Map<number, Series>>>();
  return (scope: string, operation: string, status: number): Series => {
    const operations = getOrAdd(scopes, scope, () => new Map<string, Map<number, Series>>());
    const statuses = getOrAdd(operations, operation, () => new Map<number, Series>());
    return getOrAdd(statuses, status, () => {
      const counts = new Array<number>(boundsSeconds.length + 1).fill(0);
      const added = { labels: { scope, operation, status }, counts, sumSeconds: 0 };
      known.push(added);
      return added;
    });
  };
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const added = make();
  map.set(key, added);
  return added;
}

function damageCounter(): Metric {
  return new Counter({
    name: 'nameglass_store_damage_total',
    help: 'How often stored data was needed and found damaged, by store.',
    labelNames: ['store'],
    registers: [],
    collect() {
      this.reset();
      for (const [store, count] of damageCounts()) this.inc({ store }, count);
    },
  });
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Implements the registry's metric interface, with values in the form of a prom-client histogram. */
function histogram(known: readonly Series[]) {
  const name = 'nameglass_http_request_seconds';
  const help = 'Duration of requests, from the request line to the last byte of the response.';
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: known.flatMap(values),
  });
  const values = ({ labels, counts, sumSeconds }: Series) => {
    let total = 0;
    const buckets = counts.map((count, index) => {
      total += count;
      return {
        metricName: `${name}_bucket`,
        labels: { ...labels, le: boundsSeconds[index] ?? '+Inf' },
        value: total,
      };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sumSeconds },
      { metricName: `${name}_count`, labels, value: total },
    ];
  };
  return { name, help, get };
}

/**
 * Everything at once against one server: an import, dnstap at 5,000 messages a second, collectors, 32 clients of the API and 8 flexible
 * searches, for ten minutes or `--minutes`. What the clients get is compared with what they get alone, just before. In the end everything that
 * was acknowledged must be stored. With `--kill-worker` the worker process is killed every few seconds, and no request may fail.
 */
import { type Bench, type Result, resultOf, type Usage } from './harness/benchmark.ts';
import { quantile } from './harness/interleave.ts';
import { pauseMsMax } from './harness/longest-pause.ts';
import { shownNumber } from './harness/table.ts';
import { ApiClients } from './mixed/api-clients.ts';
import { findLosses, untilPublished } from './mixed/losses.ts';
import { type MixedLoad, observeAlone, runMixedLoad } from './mixed/mixed-load.ts';
import { startMixedSite } from './mixed/mixed-site.ts';
import { metricIn, metricsOf } from './serving/reported-metrics.ts';

export const bench: Bench = async (context) => {
  const site = await startMixedSite(context);
  const minutes = context.options.minutes ?? context.sized({ tiny: 0.08, small: 1, full: 10 });
  const loadMs = minutes * 60_000;
  const clientsCount = context.sized({ tiny: 4, small: 32, full: 32 });
  const clients = new ApiClients(clientsCount, { ...site, url: site.server.url });
  context.after(() => clients.stop());
  const alone = await observeAlone(clients, loadMs, context);
  const mixed = await runMixedLoad(site, clients, loadMs, context);
  const collected = metricIn(await metricsOf(site.server.url), 'collectors', 'domains');
  await untilPublished(site);
  await site.server.stop();
  const losses = await findLosses(site, mixed.acknowledged);
  const usage: Usage = { cpuSeconds: mixed.cpuSeconds, memoryBytes: mixed.watch.memoryBytes };
  const named = `${shownNumber(minutes)} min of mixed load${context.options.killWorker ? ', worker killed' : ''}`;
  context.note(
    `${collected} domains collected, dnstap up to ${mixed.sent.mostBehind} s behind, ${mixed.sent.broken} of its connections broken and made again`,
  );
  return [
    ...latencyResults(named, alone, mixed.latencies, usage),
    ...stateResults(named, mixed, clients, usage),
    resultOf({
      work: `${named}: acknowledged observations and discoveries that are not stored`,
      ours: { value: losses.lost, unit: 'lost' },
      peer: { name: 'acknowledged', value: losses.acknowledged, unit: '' },
      wanted: { ours: { atMost: 0 } },
      ...usage,
    }),
  ];
};

function latencyResults(
  named: string,
  alone: readonly number[],
  mixed: readonly number[],
  usage: Usage,
): readonly Result[] {
  return ([0.5, 0.99] as const).map((share) =>
    resultOf({
      work: `${named}: p${share * 100} of the clients`,
      ours: { value: quantile(mixed, share), unit: 'ms' },
      peer: { name: 'clients alone', value: quantile(alone, share), unit: 'ms' },
      ...usage,
    }),
  );
}

function stateResults(
  named: string,
  { watch, longestWorkMs, kills, searches, latencies, seconds }: MixedLoad,
  clients: ApiClients,
  usage: Usage,
): readonly Result[] {
  const [first] = watch.observations;
  const failures = [...clients.failures, ...searches.failures];
  for (const failure of failures.slice(0, 5)) console.error(`  FAILED ${failure}`);
  return [
    resultOf({
      work: `${named}: requests of the clients`,
      ours: { value: latencies.length / seconds, unit: 'requests/s' },
      ...usage,
    }),
    resultOf({
      work: `${named}: longest pause of the API's event loop`,
      ours: { value: watch.longestPauseMs, unit: 'ms' },
      peer: { name: 'bare Fastify route meanwhile', value: watch.barePauseMs, unit: 'ms' },
      wanted: { ours: { atMost: pauseMsMax } },
      ...usage,
    }),
    resultOf({
      work: `${named}: longest work of the API between two turns of its event loop`,
      ours: { value: longestWorkMs, unit: 'ms' },
      wanted: { ours: { atMost: pauseMsMax } },
      ...usage,
    }),
    resultOf({
      work: `${named}: memory of all processes`,
      ours: { value: watch.memoryBytes / 1e6, unit: 'MB' },
      peer: { name: 'at its beginning', value: (first?.memoryBytes ?? 0) / 1e6, unit: 'MB' },
      ...usage,
    }),
    resultOf({
      work: `${named}: requests that failed`,
      ours: { value: failures.length, unit: 'failed' },
      peer: {
        name: kills > 0 ? `worker killed ${kills} times` : 'made',
        value: clients.requests + searches.requests,
        unit: 'requests',
      },
      wanted: { ours: { atMost: 0 } },
      ...usage,
    }),
  ];
}

/** What a server says of itself in its metrics. */

/** Node measures the time between two timers that are this far apart, and prom-client reports all of it: an idle server has 10 ms. */
const samplingMs = 10;

export async function metricsOf(url: string): Promise<string> {
  return (await fetch(`${url}/metrics`)).text();
}

/** In milliseconds, since the reading before: values of the event loop begin anew with each. Where several processes report, that of the API counts. */
export function longestPauseIn(metrics: string): number {
  const found = [...metrics.matchAll(/^nameglass_nodejs_eventloop_lag_max_seconds(\{[^}]*\})? (\S+)$/gm)];
  const ofApi = found.find(([, labels = '']) => labels.includes('"api"')) ?? found[0];
  if (!ofApi) throw new Error('the server does not report pauses of its event loop');
  return Math.max(0, Number(ofApi[2]) * 1000 - samplingMs);
}

/** The sum over its labels. */
export function metricIn(metrics: string, name: string, kind: string): number {
  const lines = [...metrics.matchAll(new RegExp(`^nameglass_${name}\\{([^}]*)\\} (\\S+)$`, 'gm'))];
  return lines
    .filter(([, labels = '']) => labels.includes(`kind="${kind}"`))
    .reduce((sum, [, , value]) => sum + Number(value), 0);
}

/** The longest pause of the event loop of a server, as its metrics report it. */

/** Node measures the time between two timers that are this far apart, and prom-client reports all of it: an idle server has 10 ms. */
const samplingMs = 10;

/** Since the reading before: values of the event loop begin anew with each. */
export async function longestReportedPauseMs(url: string): Promise<number> {
  return longestPauseIn(await (await fetch(`${url}/metrics`)).text());
}

/** Where several processes report, that of the API counts. */
export function longestPauseIn(metrics: string): number {
  const found = [...metrics.matchAll(/^nameglass_nodejs_eventloop_lag_max_seconds(\{[^}]*\})? (\S+)$/gm)];
  const ofApi = found.find(([, labels = '']) => labels.includes('"api"')) ?? found[0];
  if (!ofApi) throw new Error('the server does not report pauses of its event loop');
  return Math.max(0, Number(ofApi[2]) * 1000 - samplingMs);
}

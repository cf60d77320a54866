/** What a server under load reports and takes, over time. */
import { memoryBytesOf } from '../harness/process-tree.ts';
import type { Serving } from '../serving/serving-process.ts';

export interface Observation {
  readonly memoryBytes: number;
  /** Since the observation before, of the process that answers. */
  readonly longestPauseMs: number;
}

export class ServerWatch {
  readonly #url: string;
  readonly #pid: number;
  readonly observations: Observation[] = [];

  private constructor({ url, pid }: Pick<Serving, 'url' | 'pid'>) {
    this.#url = url;
    this.#pid = pid;
  }

  /** What was before does not count. */
  static async start(server: Pick<Serving, 'url' | 'pid'>): Promise<ServerWatch> {
    const watch = new ServerWatch(server);
    await watch.observe();
    watch.observations.length = 0;
    return watch;
  }

  /** Values of the event loop begin anew with each reading. */
  async observe(): Promise<Observation> {
    const text = await (await fetch(`${this.#url}/metrics`)).text();
    const observation = { memoryBytes: memoryBytesOf(this.#pid), longestPauseMs: longestPause(text) };
    this.observations.push(observation);
    return observation;
  }

  get memoryBytes(): number {
    return Math.max(...this.observations.map(({ memoryBytes }) => memoryBytes));
  }

  get longestPauseMs(): number {
    return Math.max(...this.observations.map(({ longestPauseMs }) => longestPauseMs));
  }
}

/** Where several processes report, that of the API counts. */
function longestPause(metrics: string): number {
  const found = [...metrics.matchAll(/^nameglass_nodejs_eventloop_lag_max_seconds(\{[^}]*\})? (\S+)$/gm)];
  const ofApi = found.find(([, labels = '']) => labels.includes('"api"')) ?? found[0];
  if (!ofApi) throw new Error('the server does not report pauses of its event loop');
  return Number(ofApi[2]) * 1000;
}

/** A value of `/metrics`, the sum over its labels. */
export async function metricSum(url: string, name: string, kind: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = [...text.matchAll(new RegExp(`^nameglass_${name}\\{([^}]*)\\} (\\S+)$`, 'gm'))];
  return lines
    .filter(([, labels = '']) => labels.includes(`kind="${kind}"`))
    .reduce((sum, [, , value]) => sum + Number(value), 0);
}

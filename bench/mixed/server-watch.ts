/** What a server under load reports and takes, over time. */
import { readFileSync } from 'node:fs';
import { StealMeter } from '../harness/machine.ts';
import { memoryBytesOf } from '../harness/process-tree.ts';
import { longestPauseIn, metricIn, metricsOf } from '../serving/reported-metrics.ts';
import type { MixedSite } from './mixed-site.ts';

export interface Observation {
  readonly memoryBytes: number;
  /** Since the observation before, of the process that answers. */
  readonly longestPauseMs: number;
  /** What a hypervisor gave to others since then, in percent of the processors. */
  readonly stealPercent: number;
  /** Newly observed, and not on feeds and channels yet. */
  readonly rrsetsWaiting: number;
}

export class ServerWatch {
  readonly #url: string;
  readonly #pid: number;
  readonly #workFile: string;
  readonly #sinceMs = Date.now();
  #steal = new StealMeter();
  readonly observations: Observation[] = [];

  private constructor({ server, workFile }: Pick<MixedSite, 'server' | 'workFile'>) {
    this.#url = server.url;
    this.#pid = server.pid;
    this.#workFile = workFile;
  }

  /** What was before does not count. */
  static async start(site: Pick<MixedSite, 'server' | 'workFile'>): Promise<ServerWatch> {
    const watch = new ServerWatch(site);
    await watch.observe();
    watch.observations.length = 0;
    return watch;
  }

  /** Values of the event loop begin anew with each reading. */
  async observe(): Promise<Observation> {
    const text = await metricsOf(this.#url);
    const observation = {
      memoryBytes: memoryBytesOf(this.#pid),
      longestPauseMs: longestPauseIn(text),
      stealPercent: this.#steal.percent(),
      rrsetsWaiting: metricIn(text, 'publisher', 'waiting'),
    };
    this.#steal = new StealMeter();
    this.observations.push(observation);
    return observation;
  }

  get memoryBytes(): number {
    return Math.max(...this.observations.map(({ memoryBytes }) => memoryBytes));
  }

  get longestPauseMs(): number {
    return Math.max(...this.observations.map(({ longestPauseMs }) => longestPauseMs));
  }

  /** Processor time of the API's main thread between two turns of its event loop. */
  get longestWorkMs(): number {
    const noted = readFileSync(this.#workFile, 'utf8').trim().split('\n');
    const since = noted
      .map((line) => line.split(' ').map(Number))
      .filter(([atMs = 0]) => atMs > this.#sinceMs)
      .map(([, workMs = 0]) => workMs);
    return Math.max(...since);
  }
}

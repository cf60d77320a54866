/** What a server under load reports and takes, over time. */
import type { BenchContext } from '../harness/benchmark.ts';
import { StealMeter } from '../harness/machine.ts';
import { memoryBytesOf } from '../harness/process-tree.ts';
import { BareBeside } from '../serving/api-pauses.ts';
import { longestPauseIn, metricIn, metricsOf } from '../serving/reported-metrics.ts';
import type { WatchedServer } from '../serving/watched-server.ts';
import type { MixedSite } from './mixed-site.ts';

export interface Observation {
  readonly memoryBytes: number;
  /** Since the observation before, of the process that answers. */
  readonly longestPauseMs: number;
  /** The same of a bare route that somebody uses at the same time. */
  readonly barePauseMs: number;
  /** What a hypervisor gave to others since then, in percent of the processors. */
  readonly stealPercent: number;
  /** Newly observed, and not on feeds and channels yet. */
  readonly rrsetsWaiting: number;
}

export class ServerWatch {
  readonly #server: WatchedServer;
  readonly #bare: BareBeside;
  readonly #sinceMs = Date.now();
  #steal = new StealMeter();
  readonly observations: Observation[] = [];

  private constructor(server: WatchedServer, bare: BareBeside) {
    this.#server = server;
    this.#bare = bare;
  }

  /** What was before does not count. */
  static async start(site: MixedSite, context: BenchContext): Promise<ServerWatch> {
    const watch = new ServerWatch(site.server, await BareBeside.start(site, context));
    await watch.observe();
    watch.observations.length = 0;
    return watch;
  }

  stop(): Promise<void> {
    return this.#bare.stop();
  }

  /** Values of the event loop begin anew with each reading. */
  async observe(): Promise<Observation> {
    const text = await metricsOf(this.#server.url);
    const observation = {
      memoryBytes: memoryBytesOf(this.#server.pid),
      longestPauseMs: longestPauseIn(text),
      barePauseMs: await this.#bare.readPauseMs(),
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

  get barePauseMs(): number {
    return Math.max(...this.observations.map(({ barePauseMs }) => barePauseMs));
  }

  longestWorkMs(): Promise<number> {
    return this.#server.longestWorkMs(this.#sinceMs);
  }
}

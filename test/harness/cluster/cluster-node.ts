/** One node of a cluster: a real process with a data directory and a port of its own, which may be killed and started again. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { type Served, serve } from '../server/command-line.ts';
import type { TestScope } from '../test-scope.ts';

export interface NodeOptions {
  readonly name: string;
  readonly role: 'api' | 'worker';
  readonly port: number;
  readonly data: string;
  /** `NAMEGLASS_…`: the settings of this node. */
  readonly environment: Readonly<Record<string, string>>;
}

export class ClusterNode {
  readonly name: string;
  readonly port: number;
  readonly #scope: TestScope;
  readonly #options: NodeOptions;
  readonly #logs: Served['output'][] = [];
  #served: Served | undefined;

  constructor(scope: TestScope, options: NodeOptions) {
    this.name = options.name;
    this.port = options.port;
    this.#scope = scope;
    this.#options = options;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get child(): ChildProcess | undefined {
    return this.#served?.child;
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    const { role, port, data, environment } = this.#options;
    const args = ['--role', role, '--port', String(port), '--data', data];
    this.#served = await serve(this.#scope, args, { env: environment });
    this.#logs.push(this.#served.output);
  }

  /** With SIGKILL, as a crash would. */
  async kill(): Promise<void> {
    const served = this.#served;
    this.#served = undefined;
    await served?.stop('SIGKILL');
  }

  /** Of all its processes so far: lines of JSON. */
  log(): string {
    return this.#logs.map((output) => output().out + output().err).join('');
  }

  async isReady(): Promise<boolean> {
    const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(
      () => undefined,
    );
    await answer?.arrayBuffer().catch(() => undefined);
    return answer?.status === 200;
  }

  /** Resolves to the milliseconds that it took. */
  async untilReady(withinMs = 60_000): Promise<number> {
    const beganMs = performance.now();
    while (!(await this.isReady())) {
      if (performance.now() - beganMs > withinMs)
        throw new Error(`${this.name} is not ready: ${this.log().slice(-4000)}`);
      await pause(50);
    }
    return Math.round(performance.now() - beganMs);
  }
}

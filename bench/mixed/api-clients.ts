/** Clients that ask one thing after another, each over a connection of its own, and count what fails. */

export interface ClientNeeds {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
}

export class ApiClients {
  readonly #needs: ClientNeeds;
  readonly #latencies: number[] = [];
  readonly #ended = new AbortController();
  readonly #running: Promise<void>[];
  readonly failures: string[] = [];
  requests = 0;

  constructor(count: number, needs: ClientNeeds) {
    this.#needs = needs;
    this.#running = Array.from({ length: count }, (_, client) => this.#run(client));
  }

  /** Those since the last call, in milliseconds. */
  drainLatencies(): readonly number[] {
    return this.#latencies.splice(0);
  }

  /** What is under way is finished. */
  async stop(): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#running);
  }

  async #run(client: number): Promise<void> {
    const { paths } = this.#needs;
    for (let at = client; !this.#ended.signal.aborted; at += 1) {
      const began = performance.now();
      await this.#ask(paths[at % paths.length] ?? '/');
      this.#latencies.push(performance.now() - began);
    }
  }

  /** An answer that breaks off is a failure, too; streams of passive DNS say so in their last line. */
  async #ask(path: string): Promise<void> {
    this.requests += 1;
    try {
      const answer = await fetch(this.#needs.url + path, { headers: this.#needs.headers });
      const text = await answer.text();
      if (answer.status !== 200) this.failures.push(`${path}: ${answer.status} ${text.slice(0, 200)}`);
      else if (text.includes('"cond":"failed"')) this.failures.push(`${path}: ${text.slice(-200)}`);
    } catch (error) {
      this.failures.push(`${path}: ${String((error as Error).cause ?? error)}`);
    }
  }
}

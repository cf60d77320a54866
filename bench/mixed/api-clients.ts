/**
 * Clients that ask one thing after another, each over a connection of its own, and count what fails. Every other one accepts compressed
 * answers. They do as little as they can, because they share the processors with the server.
 */
import { Agent, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

export interface ClientNeeds {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
}

export class ApiClients {
  readonly #needs: ClientNeeds;
  #latencies = new Map<string, number[]>();
  readonly #ended = new AbortController();
  readonly #running: Promise<void>[];
  readonly failures: string[] = [];
  requests = 0;

  constructor(count: number, needs: ClientNeeds) {
    this.#needs = needs;
    this.#running = Array.from({ length: count }, (_, client) => this.#run(client));
  }

  /** Those since the last call, in milliseconds, by kind of request. */
  drainLatencies(): ReadonlyMap<string, readonly number[]> {
    const drained = this.#latencies;
    this.#latencies = new Map();
    return drained;
  }

  /** What is under way is finished. */
  async stop(): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#running);
  }

  async #run(client: number): Promise<void> {
    const { paths } = this.#needs;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const encoding = client % 2 === 0 ? 'identity' : 'gzip';
    for (let at = client; !this.#ended.signal.aborted; at += 1) {
      const path = paths[at % paths.length] ?? '/';
      const began = performance.now();
      await this.#ask(path, agent, encoding);
      this.#note(kindOf(path), performance.now() - began);
    }
    agent.destroy();
  }

  #note(kind: string, latency: number): void {
    const known = this.#latencies.get(kind);
    if (known) known.push(latency);
    else this.#latencies.set(kind, [latency]);
  }

  /** An answer that breaks off is a failure, too; streams of passive DNS say so in their last line. */
  async #ask(path: string, agent: Agent, encoding: string): Promise<void> {
    this.requests += 1;
    const headers = { ...this.#needs.headers, 'accept-encoding': encoding };
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        get(this.#needs.url + path, { agent, headers }, resolve).once('error', reject);
      });
      const body = await buffer(answer);
      const text = () => (answer.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
      if (answer.statusCode !== 200)
        this.failures.push(`${path}: ${answer.statusCode} ${text().slice(0, 200)}`);
      else if (path.startsWith('/pdns/') && text().includes('"cond":"failed"'))
        this.failures.push(`${path}: ${text().slice(-200)}`);
    } catch (error) {
      this.failures.push(`${path}: ${String((error as Error).cause ?? error)}`);
    }
  }
}

/** `pdns`, `account`, `intel-investigate`: the product, without its version. */
function kindOf(path: string): string {
  const [, first = '', second = ''] = path.split('/');
  return first === 'v1' ? second : first;
}

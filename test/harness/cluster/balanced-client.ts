/** A client of the whole cluster: it knows the balancer alone. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export class BalancedClient {
  readonly url: string;
  readonly #port: number;
  readonly #ca: string;

  constructor(port: number, ca: string) {
    this.url = `https://localhost:${port}`;
    this.#port = port;
    this.#ca = ca;
  }

  /** A connection of its own, as each new client has. Rejects where the balancer breaks off. */
  async open(
    path: string,
    { body, method = 'GET', headers = {} }: RequestOptions = {},
  ): Promise<IncomingMessage> {
    const options = { host: 'localhost', port: this.#port, ca: this.#ca, agent: false };
    const sent = request({ ...options, path, method, headers });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  }

  async ask(path: string, options: RequestOptions = {}): Promise<Answered> {
    const answer = await this.open(path, options);
    return { status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) };
  }
}

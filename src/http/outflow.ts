/**
 * Bytes on their way to one client, as fast as it takes them and no faster: the next piece is asked for when this one has
 * been handed to the system. A client that goes, or takes nothing for too long, is cut off.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LogRequest } from './request-log.ts';

export interface Outflow {
  readonly status: number;
  /** Without `content-length` the body goes out in chunks. */
  readonly headers: Readonly<Record<string, string>>;
  readonly gzip: boolean;
  readonly stalledSeconds: number;
  /** Whether a piece is good until the one after next is asked for, so that one may be on its way while the next comes. */
  readonly ahead?: boolean;
  /** For answers that no hook sees the end of, because their connection broke. */
  readonly logAbandoned: LogRequest;
}

class ClientGone extends Error {}

/**
 * `sent`: every byte has been handed to the system while the connection stood. `broken`: the client left or stalled, or the
 * pieces failed, which a client can only be told by breaking off. Whatever happens, the iterator is returned.
 */
export async function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  outflow: Outflow,
  pieces: AsyncIterable<Uint8Array>,
): Promise<'sent' | 'broken'> {
  reply.hijack();
  const { raw } = reply;
  const iterator = pieces[Symbol.asyncIterator]();
  const flow = new Flow(raw, outflow.stalledSeconds);
  try {
    raw.writeHead(outflow.status, {
      ...reply.getHeaders(),
      ...outflow.headers,
      ...(outflow.gzip ? { 'content-encoding': 'gzip' } : {}),
      vary: 'accept-encoding',
    } as OutgoingHttpHeaders);
    const sink = outflow.gzip ? flow.packed() : flow;
    let onItsWay: Promise<void> | undefined;
    for (;;) {
      const step = await flow.during(iterator.next());
      if (step.done) break;
      if (step.value.length === 0) continue;
      const written = sink.write(step.value);
      // A failure shows when it is awaited, or the connection breaks.
      written.catch(() => undefined);
      await flow.during(outflow.ahead ? (onItsWay ?? written) : written, 'client');
      onItsWay = written;
    }
    await flow.during(sink.end(), 'client');
    return 'sent';
  } catch (error) {
    raw.destroy();
    if (!(error instanceof ClientGone)) {
      request.problem = 'internal';
      request.log.error({ reqId: request.id, err: error }, 'an answer was broken off');
    }
    outflow.logAbandoned(request, reply);
    return 'broken';
  } finally {
    flow.close();
    await iterator.return?.();
  }
}

interface Sink {
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/** One connection: whether it still stands, and whether its client takes anything. */
class Flow implements Sink {
  readonly #raw: ServerResponse;
  readonly #timer: NodeJS.Timeout;
  #waitsForClient = false;
  #finished = false;
  #gone: ClientGone | undefined;
  #interrupt: ((reason: ClientGone) => void) | undefined;

  constructor(raw: ServerResponse, stalledSeconds: number) {
    this.#raw = raw;
    raw.on('error', () => this.#leave('the client has gone'));
    // An answer that came to its end closes too, before whoever waits for the end hears of it.
    raw.once('finish', () => (this.#finished = true));
    raw.on('close', () => {
      if (!this.#finished) this.#leave('the client has gone');
    });
    if (raw.destroyed) this.#leave('the client has gone');
    this.#timer = setTimeout(() => {
      if (this.#waitsForClient) this.#leave('the client takes nothing');
      else this.#timer.refresh();
    }, stalledSeconds * 1000).unref();
  }

  #leave(reason: string): void {
    this.#gone ??= new ClientGone(reason);
    this.#interrupt?.(this.#gone);
  }

  /** Waits for something as long as the client is there. */
  during<Result>(work: Promise<Result>, waitsFor: 'data' | 'client' = 'data'): Promise<Result> {
    this.#waitsForClient = waitsFor === 'client';
    if (this.#waitsForClient) this.#timer.refresh();
    return new Promise((resolve, reject) => {
      this.#interrupt = reject;
      work.then(resolve, reject);
      if (this.#gone) reject(this.#gone);
    });
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#raw.write(bytes, (error) => (error ? reject(new ClientGone(error.message)) : resolve()));
    });
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      this.#raw.once('finish', () => resolve());
      this.#raw.end();
    });
  }

  packed(): Sink {
    const gzip = createGzip({ level: 1 });
    gzip.pipe(this.#raw);
    this.#raw.once('close', () => gzip.destroy());
    return {
      write: (bytes) =>
        new Promise((resolve, reject) => {
          gzip.write(bytes, (error) => (error ? reject(new ClientGone(error.message)) : resolve()));
        }),
      end: () =>
        new Promise((resolve) => {
          this.#raw.once('finish', () => resolve());
          gzip.end();
        }),
    };
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Streams a response with backpressure: the next chunk is requested when the previous one has been handed to the operating
 * system. A client that disconnects, or reads nothing for too long, is cut off.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { currentFlow, inFlow, yieldIfIterationIsFull } from '../concurrency/event-loop-slices.ts';
import { smallGzip } from './compression.ts';
import type { LogRequest } from './request-log.ts';

export interface ChunkOptions {
  readonly status: number;
  /** Without `content-length` the transfer encoding is chunked. */
  readonly headers: Readonly<Record<string, string>>;
  readonly gzip: boolean;
  readonly stalledSeconds: number;
  /** A chunk stays valid until the one after the next is requested, so that one can be sent while the next is read. */
  readonly readAhead?: boolean;
  /** Headers wait for the first chunk: a source that fails before it is answered as a problem, not with a truncated response. */
  readonly startsWithChunk?: boolean;
  /** Logs a response whose connection broke, for which no hook runs. */
  readonly logAbandoned: LogRequest;
}

class ClientGone extends Error {}

/**
 * `sent`: every byte was handed to the operating system while the connection was open. `broken`: the client disconnected or
 * stalled, or the source failed, which a client can only notice by the truncated response. The iterator is always closed.
 */
export function sendChunks(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ChunkOptions,
  chunks: AsyncIterable<Uint8Array>,
): Promise<'sent' | 'broken'> {
  // A link has no key, so its share of the event loop is that of the address.
  return inFlow(currentFlow() || request.ip, () => send(request, reply, options, chunks));
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ChunkOptions,
  chunks: AsyncIterable<Uint8Array>,
): Promise<'sent' | 'broken'> {
  const iterator = chunks[Symbol.asyncIterator]();
  let first = options.startsWithChunk ? await iterator.next() : undefined;
  reply.hijack();
  const { raw } = reply;
  const connection = new Connection(raw, options.stalledSeconds);
  try {
    raw.writeHead(options.status, {
      ...reply.getHeaders(),
      ...options.headers,
      ...(options.gzip ? { 'content-encoding': 'gzip' } : {}),
      vary: 'accept-encoding',
    } as OutgoingHttpHeaders);
    const sink = options.gzip ? connection.compressed() : connection;
    let inFlight: Promise<void> | undefined;
    for (;;) {
      const step = first ?? (await connection.during(iterator.next()));
      first = undefined;
      if (step.done) break;
      if (step.value.length === 0) continue;
      const nextSlice = yieldIfIterationIsFull();
      if (nextSlice) await connection.during(nextSlice);
      const written = sink.write(step.value);
      // Handled when it is awaited, or when the connection breaks.
      written.catch(() => undefined);
      await connection.during(options.readAhead ? (inFlight ?? written) : written, 'client');
      inFlight = written;
    }
    await connection.during(sink.end(), 'client');
    return 'sent';
  } catch (error) {
    raw.destroy();
    if (!(error instanceof ClientGone)) {
      request.problem = 'internal';
      request.log.error({ reqId: request.id, err: error }, 'a response was aborted');
    }
    options.logAbandoned(request, reply);
    return 'broken';
  } finally {
    connection.close();
    await iterator.return?.();
  }
}

interface Sink {
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/** One connection: whether it is still open, and whether its client keeps reading. */
class Connection implements Sink {
  readonly #raw: ServerResponse;
  readonly #timer: NodeJS.Timeout;
  #waitsForClient = false;
  #finished = false;
  #gone: ClientGone | undefined;
  #interrupt: ((reason: ClientGone) => void) | undefined;

  constructor(raw: ServerResponse, stalledSeconds: number) {
    this.#raw = raw;
    raw.on('error', () => this.#abort('the client disconnected'));
    // A complete response closes as well, before `end` resolves.
    raw.once('finish', () => (this.#finished = true));
    raw.on('close', () => {
      if (!this.#finished) this.#abort('the client disconnected');
    });
    if (raw.destroyed) this.#abort('the client disconnected');
    this.#timer = setTimeout(() => {
      if (this.#waitsForClient) this.#abort('the client stopped reading');
      else this.#timer.refresh();
    }, stalledSeconds * 1000).unref();
  }

  #abort(reason: string): void {
    this.#gone ??= new ClientGone(reason);
    this.#interrupt?.(this.#gone);
  }

  /** Waits for the work, or rejects when the client disconnects. */
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

  compressed(): Sink {
    const gzip = createGzip({ ...smallGzip, level: 1 });
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

/**
 * A response that is streamed with backpressure: no more is read from the store than the client accepts. Text is buffered until
 * there is much of it, until rows have waited for a moment, or until the search is complete. So a short response is sent
 * whole, with its length, and a search that fails before its first result can still be answered with an error.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import { constants, createGzip, type Gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../model/settings/settings.ts';
import { acceptsGzip, smallGzip } from '../compression.ts';
import type { Framing } from './framing.ts';
import { Interruption } from './interruption.ts';
import { sendBuffered } from './send-buffered.ts';
import type { Watched } from './watchdog.ts';

/** A client that stops reading holds this much, and the rows of one slice. */
const bufferedCharactersMax = 32_768;

export class ResponseStream implements Watched {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #framing: Framing;
  readonly #timeouts: Settings['pdns'];
  #buffered = '';
  #hasRows = false;
  #sink: Writable | undefined;
  #gzip: Gzip | undefined;
  /** What the response is waiting for, the store or the client, and since when. */
  #waiting: 'store' | 'client' | undefined;
  #waitingSinceMs = 0;
  #searchedMs = 0;
  #sentMs = 0;
  #broken = false;
  #interrupt: ((reason: unknown) => void) | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, framing: Framing, timeouts: Settings['pdns']) {
    this.#request = request;
    this.#reply = reply;
    this.#framing = framing;
    this.#timeouts = timeouts;
    this.#buffered = framing.begin;
  }

  /** Whether the client has been sent anything. */
  get begun(): boolean {
    return this.#sink !== undefined;
  }

  /** Whether further rows change nothing: the response to HEAD has begun, and has no body. */
  get needsNoRows(): boolean {
    return this.begun && this.#request.method === 'HEAD';
  }

  /** Whether the connection broke before the client had all of it. */
  get broken(): boolean {
    return this.#broken;
  }

  get hasRows(): boolean {
    return this.#hasRows;
  }

  /** Restarts the timeout, for the next search of the same response. */
  restartTimeout(): void {
    this.#searchedMs = 0;
  }

  next<Step, End>(search: AsyncGenerator<Step, End, undefined>): Promise<IteratorResult<Step, End>> {
    return new Promise((resolve, reject) => {
      this.#wait('store', reject);
      search.next().then((step) => {
        // An interrupted search may still yield while the next one is awaited.
        if (this.#interrupt !== reject) return;
        this.#searchedMs += performance.now() - this.#waitingSinceMs;
        this.#waiting = undefined;
        resolve(step);
      }, reject);
    });
  }

  /** Adds rows. Backpressure: what it returns, if anything, must be awaited before the next call. */
  write(text: string): Promise<void> | undefined {
    this.#buffered += text;
    this.#hasRows = true;
    if (this.#buffered.length < bufferedCharactersMax) return undefined;
    return new Promise((resolve, reject) => {
      this.#wait('client', reject);
      // Waits until the system has it: a stream would first buffer more than a stalled client is worth.
      this.#send(() => {
        this.#waiting = undefined;
        resolve();
      });
    });
  }

  /** Sends the rest; what it returns, if anything, settles when the client has received all of it, or cannot. */
  end(text: string, headers: Readonly<Record<string, string>> = {}): Promise<void> | undefined {
    if (!this.#sink) {
      const { contentType } = this.#framing;
      return sendBuffered(this.#request, this.#reply, { contentType, body: this.#buffered + text, headers });
    }
    const { raw } = this.#reply;
    if (raw.destroyed) return Promise.reject(new Interruption('left'));
    this.#broken = true;
    raw.once('finish', () => {
      this.#broken = false;
    });
    const closed = new Promise<void>((resolve, reject) => {
      this.#wait('client', reject);
      raw.once('close', () => resolve());
    });
    raw.addTrailers(headers);
    this.#sink.end(this.#buffered + text);
    return closed;
  }

  /** Resets the connection, where the client is gone or the format cannot express a failure. */
  abort(): void {
    this.#broken = true;
    this.#gzip?.destroy();
    if (!this.#reply.sent) this.#reply.hijack();
    this.#reply.raw.destroy();
  }

  /** Called by the watchdog. */
  check(nowMs: number): void {
    try {
      if (this.#reply.raw.destroyed || this.#request.raw.socket.destroyed) this.#stop('left');
      else if (this.#waiting === 'client') this.#checkClient(nowMs - this.#waitingSinceMs);
      else if (this.#waiting === 'store') this.#checkSearch(nowMs);
    } catch (error) {
      this.#interrupt?.(error);
    }
  }

  #checkClient(waitedMs: number): void {
    if (waitedMs >= this.#timeouts.stalledSeconds * 1000) this.#stop('stalled');
  }

  #checkSearch(nowMs: number): void {
    const searchedMs = this.#searchedMs + nowMs - this.#waitingSinceMs;
    if (this.#hasRows && this.#buffered !== '') {
      this.#send();
      this.#gzip?.flush(constants.Z_SYNC_FLUSH);
    } else if (searchedMs >= this.#timeouts.queryTimeoutSeconds * 1000) {
      this.#stop('timed-out');
    } else if (this.#sink && nowMs - this.#sentMs >= this.#timeouts.keepAliveSeconds * 1000) {
      this.#buffered = this.#framing.keepAlive ?? '';
      this.#send();
      this.#gzip?.flush(constants.Z_SYNC_FLUSH);
    }
  }

  #wait(what: 'store' | 'client', interrupt: (reason: unknown) => void): void {
    this.#waiting = what;
    this.#waitingSinceMs = performance.now();
    this.#interrupt = interrupt;
  }

  #stop(reason: Interruption['reason']): void {
    this.#interrupt?.(new Interruption(reason));
  }

  /** `onSent` is not called if the client is gone, which the next check will find. */
  #send(onSent: () => void = () => undefined): void {
    if (this.#reply.raw.destroyed) return;
    this.#sink ??= this.#begin();
    this.#sentMs = performance.now();
    const text = this.#buffered;
    this.#buffered = '';
    // As bytes, because a text that was put together from many pieces keeps them all in memory while it waits.
    this.#sink.write(Buffer.from(text), (error) => {
      if (!error) onSent();
    });
  }

  #begin(): Writable {
    const [request, reply] = [this.#request, this.#reply];
    const { contentType, endHeaders } = this.#framing;
    const isCompressed = acceptsGzip(request.headers['accept-encoding']);
    reply.header('content-type', contentType);
    // HTTP/1.0 has no chunked encoding, and so no trailers.
    if (endHeaders && request.raw.httpVersion !== '1.0') reply.header('trailer', 'X-Result, X-Cursor');
    if (isCompressed) reply.header('content-encoding', 'gzip');
    reply.hijack();
    reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
    // The watchdog notices a client that disconnects; writes to it fail until then, and need no report.
    reply.raw.on('error', () => undefined);
    if (!isCompressed) return reply.raw;
    this.#gzip = createGzip(smallGzip);
    this.#gzip.pipe(reply.raw);
    return this.#gzip;
  }
}

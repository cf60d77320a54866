/**
 * One answer on its way. Text is held back until there is much of it, until rows have waited for a moment, or until all is
 * there; so a short answer is sent whole, with its length, and a question without a first result can still be answered
 * with an error. Once begun, nothing more is read from the store than the client takes.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import { constants, createGzip, type Gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../model/settings.ts';
import { asksForGzip, compress, wantsGzip } from '../compression.ts';
import { sendExact } from '../send-exact.ts';
import type { MediaType } from './accept.ts';
import type { Framing } from './framing.ts';
import type { Watched } from './watch.ts';

/** `left`: the client has gone. `stalled`: it takes nothing. `timed-out`: the search takes too long. */
type InterruptionReason = 'left' | 'stalled' | 'timed-out';

export class Interruption extends Error {
  readonly reason: InterruptionReason;

  constructor(reason: InterruptionReason) {
    super(`the answer was interrupted: ${reason}`);
    this.name = 'Interruption';
    this.reason = reason;
  }
}

const heldMax = 65_536;

export class Delivery implements Watched {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #framing: Framing;
  readonly #times: Settings['pdns'];
  #held = '';
  #hasRows = false;
  #sink: Writable | undefined;
  #gzip: Gzip | undefined;
  /** What is waited for, the store or the client, and since when. */
  #waiting: 'store' | 'client' | undefined;
  #sinceMs = 0;
  #searchedMs = 0;
  #sentMs = 0;
  #broken = false;
  #interrupt: ((reason: unknown) => void) | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, framing: Framing, times: Settings['pdns']) {
    this.#request = request;
    this.#reply = reply;
    this.#framing = framing;
    this.#times = times;
    this.#held = framing.begin;
  }

  /** Whether the client has been sent anything. */
  get begun(): boolean {
    return this.#sink !== undefined;
  }

  /** Whether its connection broke, so that the client cannot have all of it. */
  get broken(): boolean {
    return this.#broken;
  }

  get hasRows(): boolean {
    return this.#hasRows;
  }

  /** A search of its own time, within the same answer. */
  startClock(): void {
    this.#searchedMs = 0;
  }

  next<Step, End>(search: AsyncGenerator<Step, End, undefined>): Promise<IteratorResult<Step, End>> {
    return new Promise((resolve, reject) => {
      this.#wait('store', reject);
      search.next().then((step) => {
        // A search that was interrupted may come back while another is waited for.
        if (this.#interrupt !== reject) return;
        this.#searchedMs += performance.now() - this.#sinceMs;
        this.#waiting = undefined;
        resolve(step);
      }, reject);
    });
  }

  /** Takes rows; what it returns, if anything, is to be awaited before more are brought. */
  write(text: string): Promise<void> | undefined {
    this.#held += text;
    this.#hasRows = true;
    if (this.#held.length < heldMax || this.#send()) return undefined;
    return new Promise((resolve, reject) => {
      this.#wait('client', reject);
      this.#sink?.once('drain', () => {
        this.#waiting = undefined;
        resolve();
      });
    });
  }

  /** Sends the rest; what it returns, if anything, settles when the client has all of it, or cannot have it. */
  end(text: string, headers: Readonly<Record<string, string>> = {}): Promise<void> | undefined {
    if (!this.#sink) {
      return sendWhole(this.#request, this.#reply, this.#framing.contentType, this.#held + text, headers);
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
    this.#sink.end(this.#held + text);
    return closed;
  }

  /** There is nobody to tell, or no way to: the client sees a connection that broke. */
  cut(): void {
    this.#broken = true;
    this.#gzip?.destroy();
    if (!this.#reply.sent) this.#reply.hijack();
    this.#reply.raw.destroy();
  }

  look(nowMs: number): void {
    try {
      if (this.#reply.raw.destroyed || this.#request.raw.socket.destroyed) this.#stop('left');
      else if (this.#waiting === 'client') this.#lookAtClient(nowMs - this.#sinceMs);
      else if (this.#waiting === 'store') this.#lookAtSearch(nowMs);
    } catch (error) {
      this.#interrupt?.(error);
    }
  }

  #lookAtClient(waitedMs: number): void {
    if (waitedMs >= this.#times.stalledSeconds * 1000) this.#stop('stalled');
  }

  #lookAtSearch(nowMs: number): void {
    const searchedMs = this.#searchedMs + nowMs - this.#sinceMs;
    if (this.#hasRows && this.#held !== '') {
      this.#send();
      this.#gzip?.flush(constants.Z_SYNC_FLUSH);
    } else if (searchedMs >= this.#times.queryTimeoutSeconds * 1000) {
      this.#stop('timed-out');
    } else if (this.#sink && nowMs - this.#sentMs >= this.#times.keepAliveSeconds * 1000) {
      this.#held = this.#framing.keepAlive ?? '';
      this.#send();
      this.#gzip?.flush(constants.Z_SYNC_FLUSH);
    }
  }

  #wait(what: 'store' | 'client', interrupt: (reason: unknown) => void): void {
    this.#waiting = what;
    this.#sinceMs = performance.now();
    this.#interrupt = interrupt;
  }

  #stop(reason: InterruptionReason): void {
    this.#interrupt?.(new Interruption(reason));
  }

  /** False when the client should be waited for. */
  #send(): boolean {
    // Nobody takes it any more, which the next look will find.
    if (this.#reply.raw.destroyed) return false;
    this.#sink ??= this.#begin();
    this.#sentMs = performance.now();
    const text = this.#held;
    this.#held = '';
    return this.#sink.write(text);
  }

  #begin(): Writable {
    const [request, reply] = [this.#request, this.#reply];
    const { contentType, endHeaders } = this.#framing;
    const zipped = asksForGzip(request.headers['accept-encoding']);
    reply.header('content-type', contentType);
    // HTTP/1.0 has no chunks, and so no place for a trailer.
    if (endHeaders && request.raw.httpVersion !== '1.0') reply.header('trailer', 'X-Result, X-Cursor');
    if (zipped) reply.header('content-encoding', 'gzip');
    reply.hijack();
    reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
    // A client that goes is noticed by looking; what is written to it meanwhile fails, and need not be told.
    reply.raw.on('error', () => undefined);
    if (!zipped) return reply.raw;
    this.#gzip = createGzip();
    this.#gzip.pipe(reply.raw);
    return this.#gzip;
  }
}

/**
 * Sends an answer that is all there, with its length, and packed when that was asked for and is worth it. What it returns,
 * if anything, settles when it is packed.
 */
export function sendWhole(
  request: FastifyRequest,
  reply: FastifyReply,
  contentType: MediaType,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> | undefined {
  reply.headers(headers);
  if (!wantsGzip(request.headers['accept-encoding'], text)) {
    sendExact(reply, contentType, text);
    return undefined;
  }
  return compress(text).then((packed) => {
    reply.header('content-type', contentType).header('content-encoding', 'gzip').send(packed);
  });
}

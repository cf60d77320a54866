/**
 * The messages of a WebSocket, over a connection of the SSRF guard (`guarded-dialer.ts`). Message size is limited; a slow consumer
 * pauses the socket (backpressure); a server that does not answer a ping is disconnected.
 */
import { once } from 'node:events';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { WebSocket } from 'ws';
import { Problem } from '../model/problem.ts';
import type { Dialer } from './guarded-dialer.ts';
import { redactUrl } from './redact-url.ts';

export interface WebsocketRequest {
  /** `ws:` or `wss:`, set by the operator, port included. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For DNS, connecting and the handshakes. */
  readonly timeoutMs: number;
  /** Ping interval; a ping must be answered before the next one. */
  readonly pingMs: number;
  /** A longer message ends the connection. */
  readonly messageBytesMax: number;
  readonly signal: AbortSignal;
}

export interface WebsocketNeeds {
  readonly dialer: Pick<Dialer, 'connect'>;
  /** Default ports of `ws:` and `wss:`. */
  readonly ports: { readonly http: number; readonly https: number };
  /** CA certificates to trust in place of the system's. */
  readonly ca?: string;
}

/** Ends when the server closes the connection or the signal aborts. Throws a Problem where the connection fails. */
export async function* scanWebsocket(
  request: WebsocketRequest,
  needs: WebsocketNeeds,
): AsyncGenerator<Buffer, void, undefined> {
  const { pingMs, signal } = request;
  const { websocket, queue } = await openWebsocket(request, needs);
  const stopPings = keepAlive(websocket, pingMs, (error) => queue.fail(error));
  const abort = () => websocket.terminate();
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      const message = await queue.next();
      if (signal.aborted || !message) return;
      yield message;
    }
  } catch (error) {
    if (signal.aborted) return;
    throw new Problem('unavailable', (error as Error).message, { cause: error });
  } finally {
    stopPings();
    signal.removeEventListener('abort', abort);
    websocket.terminate();
  }
}

/** Unread messages at which the socket is paused. */
const waitingMax = 16;

/** Received, unread messages. Listens from the start: the first message may arrive together with the handshake. */
class MessageQueue {
  readonly #websocket: WebSocket;
  readonly #waiting: Buffer[] = [];
  #failure: Error | undefined;
  #isClosed = false;
  #wake = () => undefined as void;

  constructor(websocket: WebSocket) {
    this.#websocket = websocket;
    websocket.on('message', (data) => {
      this.#waiting.push(data as Buffer);
      if (this.#waiting.length >= waitingMax) websocket.pause();
      this.#wake();
    });
    websocket.on('error', (error) => this.fail(error));
    websocket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  fail(error: Error): void {
    this.#failure ??= error;
  }

  /** Undefined when the connection was closed; throws where it failed. */
  async next(): Promise<Buffer | undefined> {
    for (;;) {
      const message = this.#waiting.shift();
      if (message) return message;
      if (this.#isClosed && this.#failure) throw this.#failure;
      if (this.#isClosed) return undefined;
      this.#websocket.resume();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

async function openWebsocket(
  { url, headers, timeoutMs, messageBytesMax, signal }: WebsocketRequest,
  { dialer, ports, ca }: WebsocketNeeds,
): Promise<{ readonly websocket: WebSocket; readonly queue: MessageQueue }> {
  const address = URL.parse(url);
  if (!address || !['ws:', 'wss:'].includes(address.protocol))
    throw new Problem('invalid-parameters', `${redactUrl(url)} is not the URL of a websocket`);
  const isSecure = address.protocol === 'wss:';
  const host = address.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = address.port === '' ? (isSecure ? ports.https : ports.http) : Number(address.port);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const { socket } = await dialer.connect({ host, port, timeoutMs, signal });
  socket.on('error', () => undefined);
  let websocket: WebSocket | undefined;
  try {
    let stream: Duplex = socket;
    if (isSecure) {
      const servername = isIP(host) === 0 ? { servername: host } : {};
      const secured = connectTls({ socket, host, ...servername, ...(ca === undefined ? {} : { ca }) });
      await once(secured, 'secureConnect', { signal: deadline });
      stream = secured;
    }
    websocket = new WebSocket(address, {
      createConnection: () => stream,
      headers: { ...headers },
      handshakeTimeout: timeoutMs,
      maxPayload: messageBytesMax,
      perMessageDeflate: false,
    });
    const queue = new MessageQueue(websocket);
    await once(websocket, 'open', { signal: deadline });
    return { websocket, queue };
  } catch (error) {
    websocket?.terminate();
    socket.destroy();
    throw new Problem('unavailable', `no websocket at ${redactUrl(url)}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Returns a function that stops the pings. */
function keepAlive(websocket: WebSocket, pingMs: number, onUnresponsive: (error: Error) => void): () => void {
  let isAlive = true;
  websocket.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    // While paused, the pong cannot be read.
    if (websocket.isPaused) return;
    if (!isAlive) {
      onUnresponsive(new Error(`no answer to a ping within ${pingMs} ms`));
      websocket.terminate();
      return;
    }
    isAlive = false;
    websocket.ping();
  }, pingMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * A websocket that we listen to. The connection is the guarded dialer's, so its address was judged; messages are bounded, and when they are
 * not taken as fast as they come the socket is not read. A server that is silent to pings is gone.
 */
import { once } from 'node:events';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { WebSocket } from 'ws';
import { Problem } from '../model/problem.ts';
import type { Dialer } from './guarded-dialer.ts';
import { shownUrl } from './shown-url.ts';

export interface WebsocketRequest {
  /** `ws:` or `wss:`, written by the operator, its port included. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For resolving, connecting and shaking hands. */
  readonly timeoutMs: number;
  /** From one ping to the next; whoever has not answered it by then is gone. */
  readonly pingMs: number;
  /** A longer message ends the connection. */
  readonly messageBytesMax: number;
  readonly signal: AbortSignal;
}

export interface WebsocketNeeds {
  readonly dialer: Pick<Dialer, 'connect'>;
  /** Where web servers listen when a URL names no port. */
  readonly ports: { readonly http: number; readonly https: number };
  /** Certificates to trust in place of the usual ones. */
  readonly ca?: string;
}

/** The messages as they come, until the other side ends the connection or nobody wants more. Throws a Problem where it breaks. */
export async function* scanWebsocket(
  request: WebsocketRequest,
  needs: WebsocketNeeds,
): AsyncGenerator<Buffer, void, undefined> {
  const { pingMs, signal } = request;
  const { websocket, inbox } = await openWebsocket(request, needs);
  const stopPings = keepAlive(websocket, pingMs, (error) => inbox.fail(error));
  const giveUp = () => websocket.terminate();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    for (;;) {
      const message = await inbox.next();
      if (signal.aborted || !message) return;
      yield message;
    }
  } catch (error) {
    if (signal.aborted) return;
    throw new Problem('unavailable', (error as Error).message, { cause: error });
  } finally {
    stopPings();
    signal.removeEventListener('abort', giveUp);
    websocket.terminate();
  }
}

/** Messages that wait to be taken before the socket is left alone. */
const waitingMax = 16;

/** What has come and was not taken. It listens from the beginning: the first message may come together with the handshake. */
class Inbox {
  readonly #websocket: WebSocket;
  readonly #waiting: Buffer[] = [];
  #failure: Error | undefined;
  #isOver = false;
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
      this.#isOver = true;
      this.#wake();
    });
  }

  fail(error: Error): void {
    this.#failure ??= error;
  }

  /** Undefined when the connection has ended; throws what has broken it. */
  async next(): Promise<Buffer | undefined> {
    for (;;) {
      const message = this.#waiting.shift();
      if (message) return message;
      if (this.#isOver && this.#failure) throw this.#failure;
      if (this.#isOver) return undefined;
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
): Promise<{ readonly websocket: WebSocket; readonly inbox: Inbox }> {
  const address = URL.parse(url);
  if (!address || !['ws:', 'wss:'].includes(address.protocol))
    throw new Problem('invalid-parameters', `${shownUrl(url)} is not the URL of a websocket`);
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
    const inbox = new Inbox(websocket);
    await once(websocket, 'open', { signal: deadline });
    return { websocket, inbox };
  } catch (error) {
    websocket?.terminate();
    socket.destroy();
    throw new Problem('unavailable', `no websocket at ${shownUrl(url)}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Call the result to stop. */
function keepAlive(websocket: WebSocket, pingMs: number, onGone: (error: Error) => void): () => void {
  let isAlive = true;
  websocket.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    // Whoever is not read cannot be heard to answer.
    if (websocket.isPaused) return;
    if (!isAlive) {
      onGone(new Error(`no answer to a ping within ${pingMs} ms`));
      websocket.terminate();
      return;
    }
    isAlive = false;
    websocket.ping();
  }, pingMs);
  timer.unref();
  return () => clearInterval(timer);
}

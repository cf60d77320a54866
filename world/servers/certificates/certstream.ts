/** Broadcasts new log entries over a websocket, in the message format that certstream servers share. */
import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Logged } from './certificate-office.ts';
import type { CertificateText } from './make-certificate.ts';

const heartbeatMs = 15_000;
/** Who reads slower than this is sent away. */
const unsentBytesMax = 4_000_000;
const listenersMax = 100;

export class Certstream {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: 1024, perMessageDeflate: false });
  /** By path: `/` without the certificates themselves, `/full-stream` with them, `/domains-only`. */
  readonly #listeners = new Map<WebSocket, string>();
  readonly #now: () => number;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(now: () => number) {
    this.#now = now;
    this.#heartbeat = setInterval(() => this.#beat([...this.#listeners.keys()]), heartbeatMs).unref();
  }

  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.#listeners.size >= listenersMax) {
      socket.destroy();
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (listener) => {
      this.#listeners.set(listener, (request.url ?? '/').replace(/[?].*/s, '').replace(/(?<=.)\/$/, ''));
      listener.on('close', () => this.#listeners.delete(listener));
      listener.on('error', () => listener.terminate());
      this.#beat([listener]);
    });
  }

  broadcast(logged: Logged): void {
    if (this.#listeners.size === 0) return;
    const messages = new Map<string, string>();
    for (const [listener, path] of this.#listeners) {
      const message = messages.get(path) ?? JSON.stringify(messageOf(logged, path, this.#now()));
      messages.set(path, message);
      this.#send(listener, message);
    }
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const listener of this.#listeners.keys()) listener.terminate();
    this.#server.close();
  }

  #beat(listeners: readonly WebSocket[]): void {
    const message = JSON.stringify({ message_type: 'heartbeat', timestamp: this.#now() / 1000 });
    for (const listener of listeners) this.#send(listener, message);
  }

  #send(listener: WebSocket, message: string): void {
    if (listener.bufferedAmount > unsentBytesMax) listener.terminate();
    else listener.send(message, () => undefined);
  }
}

function messageOf(logged: Logged, path: string, nowMs: number): unknown {
  const { application, submission, log, index, timestampMs } = logged;
  const names = application.names.filter(([kind]) => kind === 'dns').map(([, name]) => name);
  if (path === '/domains-only') return { message_type: 'dns_entries', data: names };
  const isFull = path === '/full-stream';
  return {
    message_type: 'certificate_update',
    data: {
      update_type: submission.kind === 'certificate' ? 'X509LogEntry' : 'PrecertLogEntry',
      leaf_cert: {
        ...certificateOf(logged),
        all_domains: names,
        ...(isFull ? { as_der: submission.der.toString('base64') } : {}),
      },
      ...(isFull ? { chain: submission.chain.map((der) => ({ as_der: der.toString('base64') })) } : {}),
      cert_index: index,
      cert_link: linkOf(logged),
      seen: nowMs / 1000,
      source: {
        url: log.url,
        name: log.name,
        timestamp: timestampMs / 1000,
        type: log.kind === 'static' ? 'tiled' : log.kind,
      },
    },
  };
}

function certificateOf({ text, submission, application }: Logged): Record<string, unknown> {
  const read = new X509Certificate(submission.der);
  return {
    subject: nameOf(text.subject),
    issuer: nameOf(text.issuer),
    extensions: {
      basicConstraints: 'CA:FALSE',
      subjectAltName: application.names.map(([kind, name]) => `${kind.toUpperCase()}:${name}`).join(', '),
      ...(submission.kind === 'precertificate' ? { ctlPoisonByte: true } : {}),
    },
    not_before: Math.floor(text.notBeforeMs / 1000),
    not_after: Math.floor(text.notAfterMs / 1000),
    serial_number: text.serial.toString('hex').toUpperCase(),
    signature_algorithm: 'sha256, ecdsa',
    fingerprint: read.fingerprint,
    sha1: read.fingerprint,
    sha256: read.fingerprint256,
    is_ca: false,
  };
}

function nameOf(parts: CertificateText['subject']): Record<string, string | null> {
  const find = (attribute: string) => parts.find(([name]) => name === attribute)?.[1] ?? null;
  const [C, CN, O, email] = ['country', 'commonName', 'organization', 'emailAddress'].map(find);
  const shown = Object.entries({ C, CN, O, emailAddress: email }).filter(([, text]) => text !== null);
  return {
    C: C ?? null,
    CN: CN ?? null,
    L: null,
    O: O ?? null,
    OU: null,
    ST: null,
    aggregated: shown.map(([attribute, text]) => `/${attribute}=${text}`).join(''),
    email_address: email ?? null,
  };
}

function linkOf({ log, index }: Logged): string {
  if (log.kind === 'rfc6962') return `${log.url}ct/v1/get-entries?start=${index}&end=${index}`;
  const number = Math.floor(index / 256);
  const digits = String(number).padStart(number < 1000 ? 3 : 6, '0');
  return `${log.url}tile/data/${digits.replace(/^(\d{3})(?=\d)/, 'x$1/')}`;
}

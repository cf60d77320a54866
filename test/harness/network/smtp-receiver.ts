/**
 * A local SMTP server that records messages: the part of SMTP that a client needs, optionally with TLS and a
 * password.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createServer as createSecureServer, TLSSocket } from 'node:tls';
import type { TlsCertificate } from './tls-certificate.ts';

export interface ReceivedLetter {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as received, with dot-stuffing removed. */
  readonly source: string;
  readonly overTls: boolean;
  readonly user: string | undefined;
}

export interface SmtpReceiver {
  readonly port: number;
  readonly letters: readonly ReceivedLetter[];
}

export interface SmtpOptions {
  readonly security?: 'starttls' | 'tls';
  readonly certificate?: TlsCertificate;
  readonly user?: string;
  readonly password?: string;
  /** The reply to the end of a message; by default it is accepted. */
  readonly verdict?: () => string;
}

export async function openSmtpReceiver(t: TestContext, options: SmtpOptions = {}): Promise<SmtpReceiver> {
  const letters: ReceivedLetter[] = [];
  const accept = (socket: Socket) => void new Session(socket, options, (letter) => letters.push(letter));
  const open = new Set<Socket>();
  const tls = options.security === 'tls' && options.certificate;
  const server = tls ? createSecureServer(tls, accept) : createServer(accept);
  server.on('connection', (socket: Socket) => open.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, letters };
}

class Session {
  #socket: Socket;
  readonly #options: SmtpOptions;
  readonly #keep: (letter: ReceivedLetter) => void;
  #waiting = '';
  #inData = false;
  #letter: { from: string; to: string[] } = { from: '', to: [] };
  #user: string | undefined;

  constructor(socket: Socket, options: SmtpOptions, keep: (letter: ReceivedLetter) => void) {
    this.#socket = socket;
    this.#options = options;
    this.#keep = keep;
    this.#listen(socket);
    this.#reply('220 receiver.example');
  }

  #listen(socket: Socket): void {
    this.#socket = socket;
    socket.on('error', () => undefined).setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#waiting += text;
      this.#read();
    });
  }

  #reply(line: string): void {
    this.#socket.write(`${line}\r\n`);
  }

  #read(): void {
    for (;;) {
      const mark = this.#inData ? '\r\n.\r\n' : '\r\n';
      const at = this.#waiting.indexOf(mark);
      if (at < 0) return;
      const text = this.#waiting.slice(0, at);
      this.#waiting = this.#waiting.slice(at + mark.length);
      if (this.#inData) this.#finish(text);
      else this.#handleCommand(text);
    }
  }

  #finish(text: string): void {
    this.#inData = false;
    const verdict = this.#options.verdict?.() ?? '250 accepted';
    if (verdict.startsWith('2')) {
      const source = text.replaceAll(/^\./gm, '');
      const overTls = this.#socket instanceof TLSSocket;
      this.#keep({ ...this.#letter, source, overTls, user: this.#user });
    }
    this.#letter = { from: '', to: [] };
    this.#reply(verdict);
  }

  #handleCommand(line: string): void {
    const [verb = '', rest = ''] = line.split(/ (.*)/s);
    const { security, certificate, user, password } = this.#options;
    const secure = this.#socket instanceof TLSSocket;
    switch (verb.toUpperCase()) {
      case 'EHLO': {
        const offers = [
          'receiver.example',
          ...(security === 'starttls' && !secure ? ['STARTTLS'] : []),
          ...(user === undefined ? [] : ['AUTH PLAIN']),
          '8BITMIME',
        ];
        return offers.forEach((offer, index) =>
          this.#reply(`250${index === offers.length - 1 ? ' ' : '-'}${offer}`),
        );
      }
      case 'STARTTLS':
        this.#reply('220 go ahead');
        this.#socket.removeAllListeners('data');
        return this.#listen(new TLSSocket(this.#socket, { isServer: true, ...certificate }));
      case 'AUTH': {
        const [, name, secret] = Buffer.from(rest.replace('PLAIN ', ''), 'base64').toString().split('\0');
        if (name !== user || secret !== password) return this.#reply('535 no');
        this.#user = name;
        return this.#reply('235 yes');
      }
      case 'MAIL':
        if (user !== undefined && this.#user === undefined) return this.#reply('530 authentication required');
        this.#letter.from = rest;
        return this.#reply('250 ok');
      case 'RCPT':
        this.#letter.to.push(rest);
        return this.#reply('250 ok');
      case 'DATA':
        this.#inData = true;
        return this.#reply('354 send data');
      case 'QUIT':
        this.#reply('221 bye');
        return void this.#socket.end();
      default:
        return this.#reply('250 ok');
    }
  }
}

/** The decoded parts of a message by content type. */
export function partsOf({ source }: ReceivedLetter): ReadonlyMap<string, string> {
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(source) ?? [];
  const parts = source.split(`--${boundary}`).slice(1, -1);
  return new Map(
    parts.map((part) => {
      const [head = '', body = ''] = part.split(/\r\n\r\n(.*)/s);
      const [, type = ''] = /content-type: ([^;\r\n]+)/i.exec(head) ?? [];
      return [type, decoded(body, /content-transfer-encoding: ([^;\r\n]+)/i.exec(head)?.[1])] as const;
    }),
  );
}

function decoded(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

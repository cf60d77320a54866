/** A connection on which a test writes the exact bytes of a request, and reads its response as an HTTP client would. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { keepText } from '../artifacts.ts';

export interface RawResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Decoded as Transfer-Encoding and Content-Encoding say. */
  readonly text: string;
}

const crlf = '\r\n';

export class RawConnection {
  readonly #socket: Socket;
  readonly #chunks: AsyncIterator<Buffer>;
  #buffer = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#chunks = socket.iterator({ destroyOnReturn: false });
  }

  static async open(port: number, host = '127.0.0.1'): Promise<RawConnection> {
    const socket = connect(port, host);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Sends one request and waits for its response; the connection stays open for the next. */
  async exchange(request: Buffer): Promise<RawResponse> {
    this.#socket.write(request);
    const [statusLine = '', ...lines] = (await this.#readTo(crlf + crlf)).split(crlf);
    const headers = Object.fromEntries(lines.map(headerOf));
    const body = await this.#readBody(headers);
    const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
    keepText('answers', `${JSON.stringify(headers)}\n${text}`);
    return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]), headers, text };
  }

  async #readBody(headers: RawResponse['headers']): Promise<Buffer> {
    if (headers['transfer-encoding'] !== 'chunked') return this.#readBytes(Number(headers['content-length']));
    const parts: Buffer[] = [];
    for (;;) {
      const length = Number.parseInt(await this.#readTo(crlf), 16);
      if (length === 0) break;
      parts.push(await this.#readBytes(length));
      await this.#readTo(crlf);
    }
    while ((await this.#readTo(crlf)) !== '') {
      // A trailer.
    }
    return Buffer.concat(parts);
  }

  async #readTo(end: string): Promise<string> {
    let at = this.#buffer.indexOf(end);
    while (at < 0) {
      await this.#readMore();
      at = this.#buffer.indexOf(end);
    }
    return this.#cut(at + end.length).toString('latin1', 0, at);
  }

  async #readBytes(length: number): Promise<Buffer> {
    while (this.#buffer.length < length) await this.#readMore();
    return this.#cut(length);
  }

  #cut(length: number): Buffer {
    const taken = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(length);
    return taken;
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    if (done) throw new Error('the server closed the connection within a response');
    this.#buffer = Buffer.concat([this.#buffer, value]);
  }
}

function headerOf(line: string): [name: string, value: string] {
  const at = line.indexOf(':');
  return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
}

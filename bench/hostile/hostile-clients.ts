/** Clients that try to keep a server from serving others. Each returns a function that ends it. */
import { connect, type Socket } from 'node:net';

export type End = () => void;

const patterns = [
  'regex/rdata/a[ab]{200}c',
  'regex/rdata/[ab]*a[ab]{255}[ab]{255}[ab]{255}x',
  `glob/rdata/*${'a*b*'.repeat(8)}c*`,
];

/** Costly flexible searches with one key, each sent again when it ends. */
export function searches(url: string, key: string, count: number): End {
  const ended = new AbortController();
  const search = async (index: number) => {
    const path = (patterns[index % patterns.length] as string).split('/').map(encodeURIComponent).join('/');
    while (!ended.signal.aborted) {
      const options = { headers: { 'x-api-key': key }, signal: ended.signal };
      await fetch(`${url}/pdns/v2/${path}?limit=10`, options).then(
        (response) => response.text(),
        () => undefined,
      );
    }
  };
  for (let index = 0; index < count; index += 1) void search(index).catch(() => undefined);
  return () => ended.abort();
}

/** Lookups of everything whose clients never read. */
export function stalledReaders(url: string, keys: readonly string[], count: number): End {
  const { hostname } = new URL(url);
  return neverReading(
    url,
    count,
    (index) =>
      `GET /pdns/v2/lookup/rrset/name/*?limit=0 HTTP/1.1\r\nHost: ${hostname}\r\nX-Api-Key: ${keys[index % keys.length]}\r\n\r\n`,
  );
}

/** Downloads of a channel whose clients never read. */
export function stalledDownloads(url: string, body: object, count: number): End {
  const { hostname } = new URL(url);
  const text = JSON.stringify(body);
  const head = `POST /batchd/v1/batch/chfetch HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}`;
  return neverReading(url, count, () => `${head}\r\n\r\n${text}`);
}

function neverReading(url: string, count: number, request: (index: number) => string): End {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined).pause();
    socket.write(request(index));
    sockets.push(socket);
  }
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

/** A form body of a megabyte with half a million parameters, without a key, again and again. */
export function formBodies(url: string): End {
  const ended = new AbortController();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'a&'.repeat(520_000);
  const send = async () => {
    while (!ended.signal.aborted) {
      const options = { method: 'POST', headers, body, signal: ended.signal };
      await fetch(`${url}/v1/intel-enrich/`, options).then(
        (response) => response.text(),
        () => undefined,
      );
    }
  };
  void send().catch(() => undefined);
  return () => ended.abort();
}

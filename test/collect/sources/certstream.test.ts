import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { type WebSocket, WebSocketServer } from 'ws';
import { createCertstreamSource, namesInMessage } from '../../../src/collect/sources/certstream.ts';
import type { NameBatch } from '../../../src/collect/sources/source.ts';
import { readConfig } from '../../../src/config.ts';
import { createDialer } from '../../../src/outgoing/guarded-dialer.ts';
import { scanWebsocket } from '../../../src/outgoing/scan-websocket.ts';
import { type TlsCertificate, tlsCertificate } from '../../harness/network/tls-certificate.ts';
import { TestClock } from '../../harness/test-clock.ts';

const { settings } = readConfig({ environment: {}, flags: {} });
const dialer = createDialer({
  settings: { outgoing: { allow: ['127.0.0.1/32'] } },
  resolve: async () => ['127.0.0.1'],
});
const update = (...names: unknown[]) =>
  JSON.stringify({ message_type: 'certificate_update', data: { leaf_cert: { all_domains: names } } });

async function serve(t: TestContext, onClient: (client: WebSocket) => void, tls?: TlsCertificate) {
  const server = tls ? createTlsServer(tls) : createServer();
  const websockets = new WebSocketServer({ server });
  websockets.on('connection', onClient);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const client of websockets.clients) client.terminate();
    websockets.close();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function sourceOf(url: string, ports = { http: 80, https: 443 }, ca?: string) {
  const collect = { ...settings.collect, httpPort: ports.http, httpsPort: ports.https };
  const needs = { dialer, clock: new TestClock(), settings: { collect } };
  return createCertstreamSource({ name: 'test', url }, { ...needs, ...(ca === undefined ? {} : { ca }) });
}

function recordingIntake() {
  const batches: NameBatch[] = [];
  const ingest = async (_source: string, batch: NameBatch) => {
    batches.push(batch);
    return { newDomains: 0 };
  };
  return {
    ingest,
    findCheckpoint: async () => undefined,
    names: () => batches.flatMap(({ names }) => names),
  };
}
const { signal } = new AbortController();

test('names of published certificates are ingested, other messages are ignored, and malformed ones are counted', async (t) => {
  const port = await serve(t, (client) => {
    for (const message of ['{"message_type":"heartbeat"}', 'nonsense', '7', update(7)]) client.send(message);
    client.send(update('a.example', '*.b.example'));
    client.send(Buffer.from(update('c.example')));
    client.close();
  });
  const [source, intake] = [sourceOf(`ws://127.0.0.1:${port}/`), recordingIntake()];
  await source.poll(intake, signal);
  assert.deepEqual(intake.names(), ['a.example', '*.b.example', 'c.example']);
  assert.deepEqual(source.statistics?.(), { messages: 6, malformed: 2 });
});

test('a URL without a port uses the configured ports of web servers', async (t) => {
  const port = await serve(t, (client) => {
    client.send(update('a.example'));
    client.close();
  });
  const intake = recordingIntake();
  await sourceOf('ws://certstream.example/', { http: port, https: 1 }).poll(intake, signal);
  assert.deepEqual(intake.names(), ['a.example']);
});

test('over TLS the certificate of the server is verified', async (t) => {
  const certificate = await tlsCertificate('certstream.example');
  const port = await serve(
    t,
    (client) => {
      client.send(update('a.example'));
      client.close();
    },
    certificate,
  );
  const [ports, intake] = [{ http: 1, https: port }, recordingIntake()];
  await sourceOf('wss://certstream.example/', ports, certificate.cert).poll(intake, signal);
  assert.deepEqual(intake.names(), ['a.example']);
  for (const [url, ca] of [
    ['wss://certstream.example/', undefined],
    ['wss://other.example/', certificate.cert],
  ] as const) {
    await assert.rejects(sourceOf(url, ports, ca).poll(intake, signal), { code: 'unavailable' });
  }
});

test('an address that is not public is refused', async () => {
  await assert.rejects(sourceOf('ws://169.254.169.254/').poll(recordingIntake(), signal), {
    code: 'invalid-parameters',
  });
});

test('a server that is no WebSocket server, redirects, or closes without a message is a failure', async (t) => {
  const port = await serve(t, (client) => client.close());
  await assert.rejects(
    sourceOf(`ws://127.0.0.1:${port}/`).poll(recordingIntake(), signal),
    /without a message/,
  );
  const web = createServer((_request, response) =>
    response.writeHead(302, { location: 'ws://x.example/' }).end(),
  );
  web.on('upgrade', (_request, socket) =>
    socket.end('HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1/\r\n\r\n'),
  );
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  t.after(() => web.close());
  const { port: webPort } = web.address() as AddressInfo;
  await assert.rejects(sourceOf(`ws://127.0.0.1:${webPort}/`).poll(recordingIntake(), signal), /302/);
});

test('a message of more than a megabyte ends the connection, and earlier names are ingested', async (t) => {
  const port = await serve(t, (client) => {
    client.on('error', () => undefined);
    client.send(update('a.example'));
    client.send('x'.repeat((1 << 20) + 1));
  });
  const intake = recordingIntake();
  await assert.rejects(sourceOf(`ws://127.0.0.1:${port}/`).poll(intake, signal), { code: 'unavailable' });
  assert.deepEqual(intake.names(), ['a.example']);
});

test('a source that is stopped ingests every name of the messages it has read, and closes the connection', async (t) => {
  // Without the periodic ingest, names are ingested only by full batches and by the stop.
  t.mock.timers.enable({ apis: ['setInterval'] });
  const names = Array.from({ length: 2500 }, (_, index) => `n${index}.example`);
  const stopping = new AbortController();
  let closed: Promise<unknown> | undefined;
  const port = await serve(t, (client) => {
    closed = once(client, 'close');
    for (const name of names) client.send(update(name));
  });
  const [source, intake] = [sourceOf(`ws://127.0.0.1:${port}/`), recordingIntake()];
  const advancing = source.poll(intake, stopping.signal);
  while (source.statistics?.()['messages'] !== names.length) await pause(5);
  assert.deepEqual(intake.names(), names.slice(0, 2000), 'a full batch was ingested before the stop');
  stopping.abort();
  await advancing;
  await closed;
  assert.deepEqual(intake.names(), names);
});

test('a failing intake ends the connection with its error', async (t) => {
  const port = await serve(t, (client) => client.send(update('a.example')));
  const failing = { ...recordingIntake(), ingest: () => Promise.reject(new Error('the disk is full')) };
  await assert.rejects(sourceOf(`ws://127.0.0.1:${port}/`).poll(failing, signal), /disk is full/);
});

test('a server that does not answer pings is disconnected', async (t) => {
  const port = await serve(t, (client) => {
    // A client that does not read does not answer.
    client.pause();
  });
  const limits = { timeoutMs: 5000, pingMs: 20, messageBytesMax: 1000, signal };
  const scan = scanWebsocket(
    { url: `ws://127.0.0.1:${port}/`, ...limits },
    { dialer, ports: { http: 80, https: 443 } },
  );
  await assert.rejects(scan.next(), /no answer to a ping/);
});

test('a slow consumer pauses the socket (backpressure)', async (t) => {
  let sent = 0;
  const port = await serve(t, (client) => {
    const pour = () => {
      while (client.readyState === client.OPEN && client.bufferedAmount < 1 << 20) {
        client.send('x'.repeat(1000));
        sent += 1;
      }
      if (client.readyState === client.OPEN) setImmediate(pour);
    };
    pour();
  });
  const limits = { timeoutMs: 5000, pingMs: 60_000, messageBytesMax: 10_000, signal };
  const scan = scanWebsocket(
    { url: `ws://127.0.0.1:${port}/`, ...limits },
    { dialer, ports: { http: 80, https: 443 } },
  );
  await scan.next();
  // Once the server stops sending, the buffers in between are full.
  for (let before = -1; before !== sent; ) {
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.ok(sent < 50_000, `${sent} messages were sent`);
  await scan.return(undefined);
});

test('names that arrive while the intake waits are gathered in one batch', async (t) => {
  const sent: string[] = [];
  const port = await serve(t, (client) => {
    const timer = setInterval(() => {
      sent.push(`n${sent.length}.example`);
      client.send(update(sent.at(-1)));
    }, 50);
    client.on('close', () => clearInterval(timer));
  });
  const waiting = Promise.withResolvers<void>();
  const batches: NameBatch[] = [];
  const stopping = new AbortController();
  const intake = {
    findCheckpoint: async () => undefined,
    ingest: async (_source: string, batch: NameBatch) => {
      batches.push(batch);
      if (batches.length === 1) await waiting.promise;
      return { newDomains: 0 };
    },
  };
  const polled = sourceOf(`ws://stream.example:${port}/`).poll(intake, stopping.signal);
  // More than three of the seconds in which names are usually ingested.
  while (sent.length < 80) await pause(50);
  assert.equal(batches.length, 1);
  stopping.abort();
  waiting.resolve();
  await polled;
  assert.equal(batches.length, 2);
});

test('any message yields names or is malformed', () => {
  const message = fc.oneof(
    fc.uint8Array(),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .anything()
      .map((data) => Buffer.from(JSON.stringify({ message_type: 'certificate_update', data }) ?? '')),
    fc.array(fc.anything()).map((names) => Buffer.from(update(...names))),
  );
  fc.assert(
    fc.property(message, (bytes) => {
      for (const name of namesInMessage(bytes) ?? []) assert.equal(typeof name, 'string');
    }),
  );
});

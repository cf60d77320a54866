/** The websocket that broadcasts log entries. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { domainOf, nowMs, type Served, serveSmallWorld } from './small-world.ts';

/** Messages as they come, one after the other. */
async function* listen({ server, addressOf, port }: Served, path: string) {
  const socket = new WebSocket(`wss://certstream.test:${port('httpsPort')}${path}`, {
    ca: readFileSync(server.settings['collect.caFile'] ?? ''),
    headers: { host: 'certstream.test' },
    lookup: (_, options, done) => {
      const address = addressOf('certstream.test');
      if (options.all) done(null, [{ address, family: 4 }]);
      else done(null, address, 4);
    },
  });
  const messages: Record<string, any>[] = [];
  let wake: () => void = () => undefined;
  socket.on('message', (data: Buffer) => {
    messages.push(JSON.parse(data.toString('utf8')));
    wake();
  });
  try {
    await once(socket, 'open');
    for (;;) {
      const message = messages.shift();
      if (message) yield message;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    socket.terminate();
  }
}

test('a client receives a heartbeat, then a precertificate and a certificate for each log', async (t) => {
  const served = await serveSmallWorld(t);
  const received: Record<string, any>[] = [];
  for await (const message of listen(served, '/full-stream')) {
    received.push(message);
    if (received.length === 1) served.world.put(domainOf('late.gla', { certifiedMs: nowMs }), 'certified');
    if (received.length === 5) break;
  }
  const [heartbeat, ...updates] = received;
  assert.deepEqual(heartbeat, { message_type: 'heartbeat', timestamp: nowMs / 1000 });
  assert.deepEqual(
    updates.map(({ data }) => [data.update_type as string, data.source.type as string]),
    [
      ['PrecertLogEntry', 'rfc6962'],
      ['PrecertLogEntry', 'tiled'],
      ['X509LogEntry', 'rfc6962'],
      ['X509LogEntry', 'tiled'],
    ],
  );
  const { message_type: type, data } = updates[3] ?? {};
  assert.equal(type, 'certificate_update');
  assert.deepEqual(data.leaf_cert.all_domains, ['late.gla', 'www.late.gla', 'login.late.gla']);
  assert.equal(data.leaf_cert.subject.CN, 'late.gla');
  assert.equal(data.seen, nowMs / 1000);
  const certificate = new X509Certificate(Buffer.from(data.leaf_cert.as_der, 'base64'));
  assert.equal(certificate.fingerprint, data.leaf_cert.fingerprint);
  assert.equal(certificate.serialNumber, data.leaf_cert.serial_number);
  assert.equal(data.chain.length, 2);
  assert.equal(served.server.requests()['websocket'], 1);
});

test('the plain stream leaves the certificates out, and there is one of names alone', async (t) => {
  const served = await serveSmallWorld(t);
  for (const [path, type] of [
    ['/', 'certificate_update'],
    ['/domains-only', 'dns_entries'],
  ] as const) {
    let at = 0;
    for await (const message of listen(served, path)) {
      at += 1;
      if (at === 1) served.world.put(domainOf(`late${path.length}.gla`, { certifiedMs: nowMs }), 'certified');
      else {
        assert.equal(message['message_type'], type);
        assert.ok(!JSON.stringify(message).includes('as_der'));
        if (type === 'dns_entries') assert.equal(message['data'].length, 3);
        break;
      }
    }
  }
});

test('a listener who talks too much is sent away, and no other host has a websocket', async (t) => {
  const served = await serveSmallWorld(t);
  const open = (host: string) =>
    new WebSocket(`ws://${served.addressOf('certstream.test')}:${served.port('httpPort')}/`, {
      headers: { host },
    });
  const talker = open('certstream.test');
  await once(talker, 'open');
  talker.send('x'.repeat(5000));
  await once(talker, 'close');
  const stranger = open('brand.zon');
  const [error] = await once(stranger, 'error');
  assert.ok(error instanceof Error);
});

/** Requests that are meant to cost something. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { readHeader } from '../../src/model/dns/message.ts';
import { readTsig } from '../../src/model/dns/tsig.ts';
import { readZoneRequest } from '../../src/zone-transfer/zone-request.ts';
import { zoneFixture } from '../harness/fixtures/zone-fixture.ts';
import { encodeRequest, sendDatagram, types, u16 } from '../harness/network/zone-client.ts';

const settings = { 'rpz.idleSeconds': '1', 'rpz.connectionsMax': '12' };
const fixture = await zoneFixture({ after }, { settings });
const nowSeconds = fixture.clock.now() / 1000;
const question = { zone: fixture.zone, type: types.soa, key: fixture.key };

test('any bytes are read as a request, as malformed, or as nothing to answer', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      const read = readZoneRequest(bytes);
      if (bytes.length < 12) assert.equal(read, 'ignored');
    }),
    { numRuns: 2000 },
  );
});

test('a changed request is never taken for a genuine one', async () => {
  const { bytes } = encodeRequest(question, nowSeconds);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] as number) ^ change;
      // A response is not answered; the id, and the letter case of names, are not signed as they are sent.
      if (readHeader(altered)?.isResponse || at < 2 || change === 32) return;
      const answer = await sendDatagram(fixture.port, altered);
      assert.notEqual((answer[3] as number) & 15, 0, `byte ${at} changed by ${change}`);
      assert.ok(answer.length <= altered.length + 200);
    }),
    { numRuns: 300 },
  );
});

test('a compression loop and a question that points into the header are malformed', async () => {
  const header = Buffer.from([0, 7, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  for (const name of [[0xc0, 12], [0xc0, 4], [1, 97, 0xc0, 12], [0xff, 0xff], [63]]) {
    const bytes = Buffer.concat([header, Buffer.from([...name, 0, 6, 0, 1])]);
    const answer = await sendDatagram(fixture.port, bytes);
    assert.deepEqual([answer.length, (answer[3] as number) & 15], [12, 1], String(name));
  }
});

test('a TSIG record that is not the last record is malformed', () => {
  const { bytes } = encodeRequest(question, nowSeconds);
  const start = (readTsig(bytes) as { start: number }).start;
  const twice = Buffer.concat([bytes, bytes.subarray(start)]);
  twice.writeUInt16BE(2, 10);
  assert.equal(readTsig(twice), undefined);
  assert.equal(readTsig(Buffer.concat([bytes, Buffer.of(0)])), undefined);
});

test('a signed answer over UDP is at most 200 bytes longer than the request', async () => {
  for (const one of [question, { ...question, key: undefined }, { ...question, edns: 0 }]) {
    const { bytes } = encodeRequest(one, nowSeconds);
    const answer = await sendDatagram(fixture.port, bytes);
    assert.ok(answer.length <= bytes.length + 200, `${answer.length} for ${bytes.length}`);
  }
});

const opened: Socket[] = [];

async function open(): Promise<Socket> {
  const socket = connect(fixture.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  opened.push(socket);
  return socket;
}

async function isClosed(socket: Socket): Promise<void> {
  socket.resume();
  // A connection that is reset is closed too; `once` would reject.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

test('a client that sends its request byte by byte is disconnected', async () => {
  const { bytes } = encodeRequest(question, nowSeconds);
  const framed = Buffer.concat([u16(bytes.length), bytes]);
  const socket = await open();
  let at = 0;
  const drip = setInterval(() => socket.write(framed.subarray(at, (at += 1))), 100);
  await isClosed(socket);
  clearInterval(drip);
  assert.ok(at < framed.length);
});

test('a request that is too long, and a request that is none, end the connection', async () => {
  const long = await open();
  long.write(Buffer.concat([u16(4097), Buffer.alloc(4097)]));
  await isClosed(long);
  const silent = await open();
  await isClosed(silent);
});

test('one address cannot take all connections, and others are served when it lets go', async () => {
  const sockets = await Promise.all(Array.from({ length: 20 }, open));
  while ((fixture.counts()['connections'] ?? 0) > 10) await new Promise(setImmediate);
  assert.ok(sockets.filter(({ closed }) => !closed).length <= 20);
  await Promise.all(sockets.map(isClosed));
  assert.equal((await fixture.axfr()).rcode, 0);
});

test('several requests on one connection are answered in their order', async () => {
  const socket = await open();
  const requests = [1, 2, 3].map(() => encodeRequest(question, nowSeconds).bytes);
  socket.write(Buffer.concat(requests.flatMap((bytes) => [u16(bytes.length), bytes])));
  let got = Buffer.alloc(0);
  const ids: number[] = [];
  for await (const chunk of socket) {
    got = Buffer.concat([got, chunk as Buffer]);
    while (got.length >= 2 && got.length >= 2 + got.readUInt16BE(0)) {
      ids.push(got.readUInt16BE(2));
      got = got.subarray(2 + got.readUInt16BE(0));
    }
    if (ids.length === 3) break;
  }
  assert.deepEqual(
    ids,
    requests.map((bytes) => bytes.readUInt16BE(0)),
  );
});

/** NOTIFY to secondaries, which are sockets of the test. */
import assert from 'node:assert/strict';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { type DnsMessage, readMessage } from '../../src/model/dns/message.ts';
import { nameText, parseName } from '../../src/model/dns/name.ts';
import { readTsig, TsigSigner, tsigError, verifyTsig } from '../../src/model/dns/tsig.ts';
import { newKey, zoneFixture } from '../harness/fixtures/zone-fixture.ts';
import { serialOf } from '../harness/network/zone-client.ts';

interface Notification {
  readonly bytes: Buffer;
  readonly from: RemoteInfo;
  readonly message: DnsMessage;
}

class Secondary {
  readonly socket: Socket;
  readonly #received: Notification[] = [];
  #waiting: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('message', (bytes, from) => {
      const message = readMessage(bytes);
      assert.ok(message);
      this.#received.push({ bytes, from, message });
      this.#waiting?.();
    });
  }

  static async open(t: TestContext): Promise<Secondary> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    t.after(() => socket.close());
    return new Secondary(socket);
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async next(): Promise<Notification> {
    while (this.#received.length === 0) await new Promise<void>((resolve) => (this.#waiting = resolve));
    return this.#received.shift() as Notification;
  }

  answer({ bytes, from }: Notification, sign: (message: Buffer) => Buffer = (message) => message): void {
    const header = Buffer.alloc(12);
    bytes.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8000 | (4 << 11), 2);
    this.socket.send(sign(header), from.port, from.address);
  }
}

const serialIn = ({ message }: Notification) => message.records[0] && serialOf(message.records[0]);

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('a change is notified to all secondaries, with the SOA, and again until it is answered', async (t) => {
  const [one, other] = [await Secondary.open(t), await Secondary.open(t)];
  const notify = JSON.stringify([{ address: one.address }, { address: other.address }]);
  const fixture = await zoneFixture(t, { settings: { 'rpz.notify': notify } });
  await fixture.block('acme.example');
  await fixture.stores.blocklists.refreshSelections(fixture.accountId, fixture.clock.now());
  const [first, second] = [await one.next(), await other.next()];
  for (const { message } of [first, second]) {
    assert.deepEqual([message.isResponse, message.opcode, message.isAuthoritative], [false, 4, true]);
    assert.deepEqual(
      [nameText(message.question?.name ?? new Uint8Array()), message.question?.type],
      [`${fixture.zone}.`, 6],
    );
  }
  assert.deepEqual(
    [serialIn(first), serialIn(second)],
    [fixture.clock.now() / 1000, fixture.clock.now() / 1000],
  );
  one.answer(first);
  assert.equal(serialIn(await other.next()), serialIn(second));
  await until(() => fixture.counts()['notified'] === 1);
  fixture.clock.advanceSeconds(60);
  await fixture.block('acme.top');
  const later = await one.next();
  assert.equal(serialIn(later), fixture.clock.now() / 1000);
});

test('a notification is signed with its key, and an answer that is not is no answer', async (t) => {
  const secondary = await Secondary.open(t);
  const key = newKey('notify-key', 'hmac-sha512');
  const notify = JSON.stringify([{ address: secondary.address, key: key.name }]);
  const fixture = await zoneFixture(t, { keys: [key], settings: { 'rpz.notify': notify } });
  await fixture.block('acme.example');
  await fixture.stores.blocklists.refreshSelections(fixture.accountId, fixture.clock.now());
  const first = await secondary.next();
  const nowSeconds = fixture.clock.now() / 1000;
  const tsigKey = { ...key, name: parseName(key.name) ?? assert.fail() };
  const tsig = readTsig(first.bytes);
  assert.ok(tsig && tsig !== 'none');
  assert.equal(verifyTsig(first.bytes, tsig, tsigKey, { nowSeconds }), tsigError.none);
  secondary.answer(first);
  const again = await secondary.next();
  const mac = (readTsig(again.bytes) as { mac: Uint8Array }).mac;
  secondary.answer(again, (message) => new TsigSigner(tsigKey, mac).sign(message, nowSeconds));
  await until(() => fixture.counts()['notified'] === 1);
});

test('secondaries with a key of other accounts are not notified, and a key that does not exist is an error at the start', async (t) => {
  const [one, other] = [await Secondary.open(t), await Secondary.open(t)];
  const foreign = { ...newKey('foreign'), accounts: ['somebody else'] };
  const notify = JSON.stringify([{ address: other.address, key: 'foreign' }, { address: one.address }]);
  const fixture = await zoneFixture(t, { keys: [foreign], settings: { 'rpz.notify': notify } });
  let isNotified = false;
  other.socket.on('message', () => (isNotified = true));
  await fixture.block('acme.example');
  await fixture.stores.blocklists.refreshSelections(fixture.accountId, fixture.clock.now());
  one.answer(await one.next());
  await until(() => fixture.counts()['notified'] === 1);
  assert.equal(isNotified, false);
  const wrong = { 'rpz.notify': '[{"address": "127.0.0.1", "key": "nobody"}]' };
  await assert.rejects(zoneFixture(t, { settings: wrong }), /rpz\.notify: there is no key nobody/);
  await assert.rejects(
    zoneFixture(t, { settings: { 'rpz.listen': 'localhost' } }),
    /rpz\.listen: "localhost" must be/,
  );
});

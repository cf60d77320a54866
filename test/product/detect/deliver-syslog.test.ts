import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DeliveryFixture, deliveryFixture, until } from '../../harness/fixtures/delivery-fixture.ts';
import { openSyslogReceiver } from '../../harness/network/syslog-receiver.ts';
import { tlsCertificate } from '../../harness/network/tls-certificate.ts';

const bodyOf = (message: string) => JSON.parse(message.slice(message.indexOf('{')));
const namesOf = (messages: readonly string[]) => messages.map((one) => bodyOf(one).threat.indicator.name);
const failed = (world: DeliveryFixture, id: string, failures: number) =>
  until(async () => (await world.findSubscription(id))?.failures === failures);

test('events are sent to a syslog receiver in order, each as one message', async (t) => {
  const world = await deliveryFixture(t);
  const receiver = await openSyslogReceiver(t);
  await world.subscribe(`tcp://127.0.0.1:${receiver.port}`, { by: 'syslog', format: 'ecs', seed: '' });
  const names = Array.from({ length: 130 }, (_, number) => `acme${number}.example`);
  await world.discover(...names);
  const deliveries = world.start();
  await until(() => receiver.messages.length === 130);
  assert.deepEqual(namesOf(receiver.messages), names);
  await until(() => deliveries.statistics().syslog === 2);
  assert.deepEqual(bodyOf(receiver.messages[0] ?? '').rule, { name: ['acme'] });
});

test('over TLS the certificate of the receiver is verified', async (t) => {
  const world = await deliveryFixture(t, { 'outgoing.allow': '127.0.0.1,::1' });
  const certificate = await tlsCertificate('localhost');
  const other = await tlsCertificate('localhost');
  const receiver = await openSyslogReceiver(t, certificate);
  const target = `tls://localhost:${receiver.port}`;
  const common = { by: 'syslog', format: 'ecs', seed: '' } as const;
  const trusting = await world.subscribe(target, { ...common, options: { ca: certificate.cert } });
  const strict = await world.subscribe(target, common);
  const wrong = await world.subscribe(target, { ...common, options: { ca: other.cert } });
  const misnamed = await world.subscribe(`tls://127.0.0.1:${receiver.port}`, {
    ...common,
    options: { ca: certificate.cert },
  });
  await world.discover('acme.top');
  world.start();
  for (const { id } of [strict, wrong, misnamed]) await failed(world, id, 1);
  await until(() => receiver.messages.length === 1);
  const errorOf = async ({ id }: { id: string }) => (await world.findSubscription(id))?.error ?? '';
  assert.match(await errorOf(strict), /certificate/);
  assert.match(await errorOf(wrong), /certificate/);
  assert.match(await errorOf(misnamed), /IP: 127\.0\.0\.1/);
  await until(async () => (await world.findSubscription(trusting.id))?.deliveredMs !== undefined);
  assert.deepEqual(namesOf(receiver.messages), ['acme.top']);
});

test('a receiver that resets, ends early or never ends gets the same events again', async (t) => {
  const world = await deliveryFixture(t, { 'detect.deliveryTimeoutSeconds': '1' });
  const receiver = await openSyslogReceiver(t);
  const { id } = await world.subscribe(`tcp://127.0.0.1:${receiver.port}`, {
    by: 'syslog',
    format: 'ecs',
    seed: '',
  });
  receiver.treat = (socket) => void socket.resetAndDestroy();
  await world.discover(...Array.from({ length: 90 }, (_, number) => `acme${number}.example`));
  world.start();
  await failed(world, id, 1);
  // It never reads, and never ends.
  receiver.treat = (socket) => void socket.pause();
  world.clock.advanceSeconds(30);
  await failed(world, id, 2);
  assert.match((await world.findSubscription(id))?.error ?? '', /did not end the connection within 1000 ms/);
  receiver.treat = undefined;
  world.clock.advanceSeconds(60);
  await failed(world, id, 0);
  assert.equal(new Set(namesOf(receiver.messages)).size, 90);
});

test('a private address is refused unless it is allowed, also when the name gets one later', async (t) => {
  const world = await deliveryFixture(t, { 'outgoing.allow': '10.9.8.7' });
  const receiver = await openSyslogReceiver(t);
  const { id } = await world.subscribe(`tcp://127.0.0.1:${receiver.port}`, {
    by: 'syslog',
    format: 'cef',
    seed: '',
  });
  await world.discover('acme.top');
  world.start();
  await failed(world, id, 1);
  assert.match((await world.findSubscription(id))?.error ?? '', /not a public address/);
  assert.deepEqual(receiver.messages, []);
});

/** Deliveries to webhooks by processes that are killed, and by several at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveryFixture, until } from '../../harness/fixtures/delivery-fixture.ts';
import { openReceiver, type Received } from '../../harness/network/http-receiver.ts';
import { spawnDeliveries } from '../../harness/workers/spawn-deliveries.ts';

const domainsOf = (received: readonly Received[]) =>
  received.flatMap(({ body }) =>
    (JSON.parse(body) as { events: { domain: string }[] }).events.map(({ domain }) => domain),
  );

test('a crash between delivering and recording it delivers again, with the same id', async (t) => {
  const world = await deliveryFixture(t);
  let kill: (() => void) | undefined;
  const receiver = await openReceiver(t, { answer: (_, response) => (kill ? kill() : void response.end()) });
  const { id } = await world.subscribe(receiver.url);
  await world.discover('a.example', 'b.example');
  const first = spawnDeliveries(t, world.directory, world.clock.now());
  kill = () => void first.kill();
  await receiver.until(1);
  await first.ended;
  assert.equal((await world.findSubscription(id))?.failures, 0);
  kill = undefined;
  const second = spawnDeliveries(t, world.directory, world.clock.now() + 120_000);
  await receiver.until(2);
  await second.kill();
  const [one, other] = receiver.received as [Received, Received];
  assert.equal(one.body, other.body);
  assert.equal(one.headers['x-nameglass-delivery'], other.headers['x-nameglass-delivery']);
});

test('two processes together deliver each event once', async (t) => {
  const world = await deliveryFixture(t);
  const receiver = await openReceiver(t);
  await world.subscribe(receiver.url);
  const processes = [1, 2].map(() => spawnDeliveries(t, world.directory, world.clock.now()));
  await Promise.all(processes.map(({ ready }) => ready));
  const names = Array.from({ length: 500 }, (_, number) => `acme${number}.example`);
  for (let from = 0; from < names.length; from += 25) await world.discover(...names.slice(from, from + 25));
  await until(() => domainsOf(receiver.received).length >= names.length);
  await Promise.all(processes.map((process) => process.kill()));
  assert.deepEqual(domainsOf(receiver.received), names);
});

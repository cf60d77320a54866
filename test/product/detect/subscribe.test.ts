import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventKinds } from '../../../src/model/detect/watchlist.ts';
import { type SubscriptionRequest, subscribe } from '../../../src/product/detect/subscribe.ts';
import { webhookSecret } from '../../../src/product/detect/webhook-secret.ts';
import { openDetectStores } from '../../../src/store/embedded/detect-stores.ts';
import { settingsOf } from '../../harness/fixtures/delivery-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

function world(t: TestContext) {
  const stores = openDetectStores(temporaryDirectory(t));
  t.after(() => stores.close());
  const { events } = stores;
  const needs = { events, clock: new TestClock(), settings: settingsOf({ 'outgoing.allow': '10.0.0.1' }) };
  return {
    events,
    add: (request: Partial<SubscriptionRequest>) =>
      subscribe({ accountId: 'acme', createdBy: 'operator', ...request }, needs),
  };
}

const webhook = 'https://1.1.1.1:8443/hook';

test('a webhook gets every kind of event immediately, and has its own secret', async (t) => {
  const { add } = world(t);
  const [one, other] = [await add({ webhook }), await add({ webhook: 'http://10.0.0.1/' })];
  assert.deepEqual([one.by, one.target, one.every, one.events], ['webhook', webhook, 'event', eventKinds]);
  const [secret, another] = [one, other].map(({ seed }) => webhookSecret(seed, Buffer.alloc(32)));
  assert.match(secret ?? '', /^ngw_[0-9a-f]{64}$/);
  assert.notEqual(secret, another);
});

test('digests are daily unless hourly is requested', async (t) => {
  const { add } = world(t);
  const email = 'soc@example.com';
  const [day, hour] = [
    await add({ email }),
    await add({ email, every: 'hour', events: ['changed', 'changed'] }),
  ];
  assert.deepEqual([day.by, day.target, day.every, day.seed], ['email', email, 'day', '']);
  assert.deepEqual([hour.every, hour.events], ['hour', ['changed']]);
});

test('a target that could never be delivered to is refused, and nothing is stored', async (t) => {
  const { events, add } = world(t);
  const refused: readonly (readonly [request: Partial<SubscriptionRequest>, why: RegExp])[] = [
    [{ webhook: 'http://127.0.0.1/' }, /not a public address/],
    [{ webhook: 'http://0x7f.1/' }, /not a public address/],
    [{ webhook: 'http://[::ffff:10.0.0.2]/' }, /not a public address/],
    [{ webhook: 'http://localhost/' }, /not a public address/],
    [{ webhook: 'ftp://1.1.1.1/' }, /http and https/],
    [{ webhook: 'http://user:pass@1.1.1.1/' }, /password/],
    [{ email: 'a@b.example,c@d.example' }, /one plain address/],
    [{ webhook, email: 'soc@example.com' }, /either/],
    [{}, /either/],
    [{ webhook, every: 'hour' }, /digests only/],
  ];
  for (const [request, message] of refused)
    await assert.rejects(add(request), { name: 'Problem', code: 'invalid-parameters', message });
  assert.deepEqual(await events.listSubscriptions('acme'), []);
});

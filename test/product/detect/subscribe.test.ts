import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventKinds } from '../../../src/model/detect/watchlist.ts';
import { type SubscriptionRequest, subscribe } from '../../../src/product/detect/subscribe.ts';
import { webhookSecret } from '../../../src/product/detect/webhook-secret.ts';
import { openWatchlistStore } from '../../../src/store/embedded/watchlist-store.ts';
import { settingsOf } from '../../harness/delivering.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

function world(t: TestContext) {
  const watchlist = openWatchlistStore(temporaryDirectory(t));
  t.after(() => watchlist.close());
  const needs = { watchlist, clock: new TestClock(), settings: settingsOf({ 'outgoing.allow': '10.0.0.1' }) };
  return {
    watchlist,
    add: (request: Partial<SubscriptionRequest>) =>
      subscribe({ accountId: 'acme', createdBy: 'operator', ...request }, needs),
  };
}

const webhook = 'https://1.1.1.1:8443/hook';

test('a webhook is told of every kind of event at once, and has a secret of its own', async (t) => {
  const { add } = world(t);
  const [one, other] = [await add({ webhook }), await add({ webhook: 'http://10.0.0.1/' })];
  assert.deepEqual([one.by, one.target, one.every, one.events], ['webhook', webhook, 'event', eventKinds]);
  const [secret, another] = [one, other].map(({ seed }) => webhookSecret(seed, Buffer.alloc(32)));
  assert.match(secret ?? '', /^ngw_[0-9a-f]{64}$/);
  assert.notEqual(secret, another);
});

test('letters come every day unless every hour is wanted', async (t) => {
  const { add } = world(t);
  const email = 'soc@example.com';
  const [day, hour] = [
    await add({ email }),
    await add({ email, every: 'hour', events: ['changed', 'changed'] }),
  ];
  assert.deepEqual([day.by, day.target, day.every, day.seed], ['email', email, 'day', '']);
  assert.deepEqual([hour.every, hour.events], ['hour', ['changed']]);
});

test('what would never be told is refused, and nothing is kept of it', async (t) => {
  const { watchlist, add } = world(t);
  const refused: readonly (readonly [request: Partial<SubscriptionRequest>, why: RegExp])[] = [
    [{ webhook: 'http://127.0.0.1/' }, /not of the Internet/],
    [{ webhook: 'http://0x7f.1/' }, /not of the Internet/],
    [{ webhook: 'http://[::ffff:10.0.0.2]/' }, /not of the Internet/],
    [{ webhook: 'http://localhost/' }, /not of the Internet/],
    [{ webhook: 'ftp://1.1.1.1/' }, /http and https/],
    [{ webhook: 'http://user:pass@1.1.1.1/' }, /password/],
    [{ email: 'a@b.example,c@d.example' }, /one plain address/],
    [{ webhook, email: 'soc@example.com' }, /either/],
    [{}, /either/],
    [{ webhook, every: 'hour' }, /at once/],
  ];
  for (const [request, message] of refused)
    await assert.rejects(add(request), { name: 'Problem', code: 'invalid-parameters', message });
  assert.deepEqual(await watchlist.listSubscriptions('acme'), []);
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventKinds } from '../../../src/model/detect/watchlist.ts';
import { findToken } from '../../../src/product/detect/alert/receiver-token.ts';
import { type SubscriptionRequest, subscribe } from '../../../src/product/detect/subscribe.ts';
import { webhookSecret } from '../../../src/product/detect/webhook-secret.ts';
import { openDetectStores } from '../../../src/store/embedded/detect-stores.ts';
import { settingsOf, testLinkKey } from '../../harness/fixtures/delivery-fixture.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

function world(t: TestContext) {
  const stores = openDetectStores(temporaryDirectory(t));
  t.after(() => stores.close());
  const { events } = stores;
  const settings = settingsOf({ 'outgoing.allow': '10.0.0.1' });
  const needs = { events, clock: new TestClock(), settings, linkKey: testLinkKey };
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

test('the token of Splunk is stored encrypted, for its URL alone', async (t) => {
  const { add } = world(t);
  const options = { token: '0b1c-token', index: 'main', sourcetype: 'x:y' };
  const made = await add({ webhook, format: 'splunk', options });
  const { sealedToken, ...others } = made.options;
  assert.deepEqual(others, { index: 'main', sourcetype: 'x:y' });
  assert.ok(!JSON.stringify(made).includes('0b1c'));
  assert.ok(!Buffer.from(sealedToken ?? '', 'base64').includes('0b1c'));
  assert.equal(findToken(made, testLinkKey), '0b1c-token');
  assert.throws(() => findToken({ ...made, target: 'https://other.example/' }, testLinkKey), /decrypted/);
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
    [{ syslog: 'tls://127.0.0.1:6514' }, /not a public address/],
    [{ syslog: 'tcp://0x7f.1' }, /not a public address/],
    [{ syslog: 'tcp://localhost' }, /not a public address/],
    [{ syslog: 'udp://1.1.1.1:514' }, /tls:\/\/HOST:PORT/],
    [{ syslog: 'tls://1.1.1.1', every: 'hour' }, /digests only/],
    [{ syslog: 'tls://1.1.1.1', format: 'slack' }, /for webhooks only/],
    [{ syslog: 'tls://1.1.1.1', options: { ca: 'no certificate' } }, /in PEM/],
    [{ syslog: 'tcp://1.1.1.1', options: { ca: 'x' } }, /over TLS only/],
    [{ webhook, format: 'cef' }, /for syslog only/],
    [{ email: 'soc@example.com', format: 'slack' }, /webhooks and syslog only/],
    [{ webhook, format: 'splunk' }, /token/],
    [{ webhook, format: 'splunk', options: { token: 'a\r\nb' } }, /token/],
    [{ webhook, format: 'splunk', options: { token: 'a', index: 'A b' } }, /index/],
    [{ webhook, format: 'slack', options: { token: 'a' } }, /splunk only/],
  ];
  for (const [request, message] of refused)
    await assert.rejects(add(request), { name: 'Problem', code: 'invalid-parameters', message });
  assert.deepEqual(await events.listSubscriptions('acme'), []);
});

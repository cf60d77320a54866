import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openEmbeddedStores } from '../../../src/store/embedded/open-stores.ts';
import { newUser } from '../../harness/fixtures/delivery-fixture.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';

async function world(t: TestContext) {
  const data = temporaryDirectory(t);
  const clock = new TestClock();
  const stores = openEmbeddedStores({ data, clock });
  for (const username of ['alice', 'bob']) await newUser(stores.accounts, clock, username);
  await stores.close();
  return (...words: string[]) => nameglass(['subscription', ...words, '--data', data]);
}

const hook = ['--webhook', 'https://1.1.1.1:8443/hook'];

test('a webhook is added with a secret that is shown once, listed and removed', async (t) => {
  const subscription = await world(t);
  const added = await subscription('add', '--username', 'alice', ...hook);
  assert.equal(added.code, 0, added.err);
  const [, id = ''] = /subscription (\w{10}) of account alice/.exec(added.out) ?? [];
  const [secret = ''] = /ngw_[0-9a-f]{64}/.exec(added.out) ?? [];
  assert.ok(id && secret, added.out);
  const listed = await subscription('list', 'alice');
  assert.match(listed.out, new RegExp(`${id} +webhook +https://1.1.1.1:8443/hook +discovered,changed`));
  assert.ok(!listed.out.includes(secret));
  const foreign = await subscription('remove', 'bob', id);
  assert.deepEqual([foreign.code, foreign.err.includes('has no subscription')], [1, true]);
  assert.equal((await subscription('remove', 'alice', id)).code, 0);
  assert.match((await subscription('list', 'alice')).out, /has no subscriptions/);
});

test('e-mail subscriptions have a period and event kinds, and a missing mail server is reported', async (t) => {
  const subscription = await world(t);
  const words = ['--email', 'soc@example.com', '--events', 'changed,risk-full'];
  const added = await subscription('add', '--username', 'alice', ...words, '--every', 'hour');
  assert.match(added.out, /mail\.host/);
  await subscription('add', '--username', 'alice', ...words, '--json');
  const listed = JSON.parse((await subscription('list', 'alice', '--json')).out) as Record<string, unknown>[];
  assert.deepEqual(
    listed.map(({ by, target, events, every, failures, error }) => [
      by,
      target,
      events,
      every,
      failures,
      error,
    ]),
    ['hour', 'day'].map((every) => ['email', 'soc@example.com', ['changed', 'risk-full'], every, 0, null]),
  );
});

test('a webhook to a private address is bad usage, unless the settings allow it', async (t) => {
  const subscription = await world(t);
  const inside = ['add', '--username', 'alice', '--webhook', 'http://127.0.0.1:9/'];
  const [refused, allowed, wrong, nobody] = await Promise.all([
    subscription(...inside),
    subscription(...inside, '--set', 'outgoing.allow=127.0.0.1'),
    subscription('add', '--username', 'alice', ...hook, '--events', 'everything'),
    subscription('add', '--username', 'nobody', ...hook),
  ]);
  assert.deepEqual([refused.code, allowed.code, wrong.code, nobody.code], [2, 0, 2, 1]);
  assert.match(refused.err, /127\.0\.0\.1 is not a public address; outgoing\.allow can allow it/);
  assert.match(wrong.err, /Expected one or more of discovered, changed, escalated, risk-full/);
});

test('a format is chosen; the token of Splunk comes from a file and is shown nowhere', async (t) => {
  const subscription = await world(t);
  const file = join(temporaryDirectory(t), 'hec.token');
  writeFileSync(file, 'a-token-of-splunk\n');
  const add = (...words: string[]) => subscription('add', '--username', 'alice', ...words);
  const [splunk, syslog, wrong] = await Promise.all([
    add(...hook, '--format', 'splunk', '--token-file', file, '--index', 'threats', '--json'),
    add('--syslog', 'tls://1.1.1.1', '--format', 'ecs', '--json'),
    add(...hook, '--format', 'cef'),
  ]);
  assert.deepEqual(
    [splunk.code, syslog.code, wrong.code],
    [0, 0, 2],
    `${splunk.err}${syslog.err}${wrong.err}`,
  );
  assert.match(wrong.err, /cef is for syslog only/);
  const listed = await subscription('list', 'alice', '--json');
  assert.deepEqual(
    JSON.parse(listed.out)
      .map(({ by, format }: { by: string; format: string }) => `${by} ${format}`)
      .sort(),
    ['syslog ecs', 'webhook splunk'],
  );
  assert.ok(!`${splunk.out}${splunk.err}${listed.out}`.includes('a-token-of-splunk'));
  assert.equal('secret' in JSON.parse(splunk.out), false);
});

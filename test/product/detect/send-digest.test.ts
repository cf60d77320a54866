import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Subscription } from '../../../src/model/detect/watchlist.ts';
import { type DeliveryFixture, deliveryFixture, until } from '../../harness/fixtures/delivery-fixture.ts';
import {
  openSmtpReceiver,
  partsOf,
  type ReceivedLetter,
  type SmtpReceiver,
} from '../../harness/network/smtp-receiver.ts';

type Mailing = DeliveryFixture & {
  readonly post: SmtpReceiver;
  subscribeMail(every: 'hour' | 'day'): Promise<Subscription>;
  verdicts: string[];
};

/** The clock is at 10:11:12. */
async function mailing(t: TestContext, more: Readonly<Record<string, string>> = {}): Promise<Mailing> {
  const verdicts: string[] = [];
  const post = await openSmtpReceiver(t, { verdict: () => verdicts.shift() ?? '250 accepted' });
  const mail = { 'mail.host': '127.0.0.1', 'mail.port': String(post.port), 'mail.security': 'none' };
  const world = await deliveryFixture(t, { ...mail, ...more });
  const subscribeMail = (every: 'hour' | 'day') =>
    world.subscribe('soc@example.com', { by: 'email', every, seed: '' });
  return { ...world, post, subscribeMail, verdicts };
}

const untilLetters = ({ post }: Mailing, count: number) => until(() => post.letters.length === count);
const textOf = (letter: ReceivedLetter | undefined) =>
  partsOf(letter as ReceivedLetter).get('text/plain') ?? '';
const settled = (world: Mailing, { id }: Subscription, nextMs: number) =>
  until(async () => (await world.findSubscription(id))?.nextMs === nextMs);

test('a digest is sent at the end of an hour with events, with those since the last digest', async (t) => {
  const world = await mailing(t, { 'http.publicUrl': 'https://names.example' });
  const subscription = await world.subscribeMail('hour');
  await world.discover('a.example', 'b.example');
  world.start();
  await settled(world, subscription, Date.parse('2026-03-04T11:00:00Z'));
  assert.equal(world.post.letters.length, 0);
  world.clock.set('2026-03-04T11:00:00Z');
  await untilLetters(world, 1);
  const [first] = world.post.letters as [ReceivedLetter];
  assert.match(first.source, /^Subject: Nameglass: 2 discovered\r$/m);
  assert.match(first.source, /^To: soc@example\.com\r$/m);
  assert.deepEqual(textOf(first).replaceAll('\r', '').trim().split('\n'), [
    'Domains discovered',
    '  2026-03-04 10:11  a[.]example  acme',
    '  2026-03-04 10:11  b[.]example  acme',
    '',
    'Decide about them: https://names.example/ui/triage',
    'Report of the last 30 days: https://names.example/ui/report',
  ]);
  await settled(world, subscription, Date.parse('2026-03-04T12:00:00Z'));
  world.clock.set('2026-03-04T15:20:00Z');
  await world.discover('c.example');
  await settled(world, subscription, Date.parse('2026-03-04T16:00:00Z'));
  assert.equal(world.post.letters.length, 1);
  world.clock.set('2026-03-04T16:00:00Z');
  await untilLetters(world, 2);
  assert.match(textOf(world.post.letters[1]), /c\[\.\]example/);
  assert.doesNotMatch(textOf(world.post.letters[1]), /a\[\.\]example/);
});

test('a digest leaves out escalations that were undone before it was sent, and reports those undone later', async (t) => {
  const world = await mailing(t);
  const { decisions, accountId, clock } = world;
  const events = ['escalated', 'withdrawn'] as const;
  const subscription = await world.subscribe('soc@example.com', {
    by: 'email',
    every: 'hour',
    seed: '',
    events,
  });
  const ids = await world.discover('a.example', 'b.example');
  const by = () => ({ username: 'ann', atMs: clock.now() });
  const block = async (name: string) => {
    const decision = { target: 'blocked', pieceDomains: 9 } as const;
    const made = await decisions.decideDomains(accountId, [ids.get(name) ?? ''], decision, by());
    return made.decisionId ?? '';
  };
  const undo = (id: string) =>
    decisions.undoDecision(accountId, id, { skipConflicts: false, pieceDomains: 9 }, by());
  await undo(await block('a.example'));
  const kept = await block('b.example');
  world.start();
  await settled(world, subscription, Date.parse('2026-03-04T11:00:00Z'));
  world.clock.set('2026-03-04T11:00:00Z');
  await untilLetters(world, 1);
  assert.match(world.post.letters[0]?.source ?? '', /^Subject: Nameglass: 1 escalated\r$/m);
  assert.doesNotMatch(textOf(world.post.letters[0]), /a\[\.\]example/);
  await settled(world, subscription, Date.parse('2026-03-04T12:00:00Z'));
  await undo(kept);
  world.clock.set('2026-03-04T12:00:00Z');
  await untilLetters(world, 2);
  assert.match(world.post.letters[1]?.source ?? '', /^Subject: Nameglass: 1 no longer escalated\r$/m);
});

test('without a web UI a digest has no links', async (t) => {
  const world = await mailing(t, { 'web.enabled': 'false' });
  const subscription = await world.subscribeMail('hour');
  await world.discover('a.example');
  world.start();
  // A clock that jumps while the subscription is leased lets the lease expire, and the digest is sent twice.
  await settled(world, subscription, Date.parse('2026-03-04T11:00:00Z'));
  world.clock.set('2026-03-04T11:00:00Z');
  await untilLetters(world, 1);
  assert.doesNotMatch(textOf(world.post.letters[0]), /http/);
});

test('a daily digest is sent at the end of the day', async (t) => {
  const world = await mailing(t);
  const subscription = await world.subscribeMail('day');
  await world.discover('a.example');
  world.start();
  await settled(world, subscription, Date.parse('2026-03-05T00:00:00Z'));
  world.clock.set('2026-03-05T00:00:00Z');
  await untilLetters(world, 1);
});

test('a scheduled digest is sent at its hour on its days, also over a change of clocks', async (t) => {
  const world = await mailing(t);
  world.clock.set('2026-03-27T10:00:00Z');
  const schedule = { hour: 8, zone: 'Europe/Berlin', weekdays: [1, 2, 3, 4, 5] };
  const digest = { by: 'email', every: 'day', seed: '', schedule } as const;
  const subscription = await world.subscribe('soc@example.com', digest);
  await world.discover('a.example');
  world.start();
  // A Friday: the digest is due on Monday, and until then its time is looked up daily.
  await settled(world, subscription, Date.parse('2026-03-28T10:00:00Z'));
  world.clock.set('2026-03-30T05:59:00Z');
  await settled(world, subscription, Date.parse('2026-03-30T06:00:00Z'));
  assert.equal(world.post.letters.length, 0);
  world.clock.set('2026-03-30T06:00:00Z');
  await untilLetters(world, 1);
  await settled(world, subscription, Date.parse('2026-03-31T06:00:00Z'));
  assert.deepEqual((await world.findSubscription(subscription.id))?.deliveredMs, world.clock.now());
});

test('hostile names and terms are escaped in a digest', async (t) => {
  const world = await mailing(t);
  const { monitors, watchlist, accountId, clock } = world;
  const term = '<script>alert(1)</script>\r\nBcc: evil@example.com';
  const settings = { term, matchSubstringVariations: false, nameserverExclusions: [], textExclusions: [] };
  const monitor = await monitors.createMonitor(accountId, settings, { username: 'a', atMs: clock.now() });
  await world.subscribeMail('hour');
  const names = ['"><img src=x>.example', 'a\r\nBcc: evil@example.com.example', 'xn--cme-5cd.example'];
  const reason = { class: 'exact', steps: [], name: '', from: 0, to: 0, text: '', distance: 0 } as const;
  await watchlist.addDiscoveries(
    names.map((domain) => ({
      accountId,
      domain,
      tld: 'example',
      discoveredMs: clock.now(),
      matches: [{ monitorId: monitor.id, reason }],
      facts: undefined,
    })),
  );
  clock.set('2026-03-04T11:00:00Z');
  world.start();
  await untilLetters(world, 1);
  const [letter] = world.post.letters as [ReceivedLetter];
  assert.doesNotMatch(letter.source, /^Bcc:/im);
  const html = partsOf(letter).get('text/html') ?? '';
  assert.doesNotMatch(html, /<(?:script|img)/i);
  assert.match(html, /&#60;script&#62;/);
  assert.doesNotMatch(textOf(letter), /^Bcc/m);
  assert.match(textOf(letter), /аcme\[\.\]example \(xn--cme-5cd\[\.\]example\)/);
});

test('a digest of very many events lists the first and counts the rest', async (t) => {
  const world = await mailing(t);
  await world.subscribeMail('hour');
  await world.discover(...Array.from({ length: 1200 }, (_, number) => `acme${number}.example`));
  world.clock.set('2026-03-04T11:00:00Z');
  world.start();
  await untilLetters(world, 1);
  const text = textOf(world.post.letters[0]);
  assert.match(world.post.letters[0]?.source ?? '', /^Subject: Nameglass: 1200 discovered\r$/m);
  assert.match(text, / {2}and 700 more/);
  assert.equal(text.match(/\[\.\]example/g)?.length, 500);
});

test('a digest that the server rejects is sent again', async (t) => {
  const world = await mailing(t);
  world.verdicts.push('451 later');
  const { id } = await world.subscribeMail('hour');
  await world.discover('a.example');
  world.clock.set('2026-03-04T11:00:00Z');
  world.start();
  await until(async () => (await world.findSubscription(id))?.failures === 1);
  assert.match((await world.findSubscription(id))?.error ?? '', /451 later/);
  world.clock.advanceSeconds(30);
  await untilLetters(world, 1);
});

test('without a mail server digests wait', async (t) => {
  const world = await mailing(t, { 'mail.host': '' });
  const { id } = await world.subscribeMail('hour');
  await world.discover('a.example');
  world.clock.set('2026-03-04T11:00:00Z');
  world.start();
  await until(async () => (await world.findSubscription(id))?.error === 'mail.host is not set');
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Escalation, EscalationType } from '../../../src/model/detect/watchlist.ts';
import { type DeliveryFixture, deliveryFixture, until } from '../../harness/fixtures/delivery-fixture.ts';
import { openReceiver } from '../../harness/network/http-receiver.ts';
import { openWebRiskReceiver, type WebRiskReceiver } from '../../harness/network/web-risk-receiver.ts';

const token = 'web-risk-token';

async function submitting(
  t: TestContext,
  more: Readonly<Record<string, string>> = {},
): Promise<DeliveryFixture & { service: WebRiskReceiver }> {
  const service = await openWebRiskReceiver(t, token);
  const settings = { 'detect.webRiskUrl': `${service.url}v1/uris:submit`, 'detect.webRiskToken': token };
  return { ...(await deliveryFixture(t, { ...settings, ...more })), service };
}

async function escalate(
  world: DeliveryFixture,
  domain: string,
  type: EscalationType = 'external_safe',
): Promise<Escalation> {
  const { escalations, accountId, clock } = world;
  const id = (await world.discover(domain)).get(domain) as string;
  const outcome = await escalations.escalateDomains(accountId, [id], type, {
    username: 'alice',
    atMs: clock.now(),
  });
  assert.ok(outcome.outcome === 'escalated');
  return outcome.escalations[0] as Escalation;
}

async function submissionOf({ escalations, accountId }: DeliveryFixture, { id }: Escalation) {
  const all = await escalations.listEscalations(accountId, { limit: 100 });
  return all.find((escalation) => escalation.id === id)?.submission;
}

test('ESC-02 external_safe submits the domain to the web-risk service, and blocked submits nothing', async (t) => {
  const world = await submitting(t);
  const safe = await escalate(world, 'acme.top');
  await escalate(world, 'acme.shop', 'blocked');
  world.start();
  await until(async () => (await submissionOf(world, safe))?.status === 'submitted');
  assert.deepEqual(world.service.submitted, new Map([[safe.id, 'http://acme.top/']]));
  const [request] = world.service.received;
  assert.equal(world.service.received.length, 1);
  assert.deepEqual([request?.method, request?.path], ['POST', '/v1/uris:submit']);
  assert.equal(request?.headers['content-type'], 'application/json');
  assert.deepEqual(JSON.parse(request?.body ?? ''), {
    submission: { uri: 'http://acme.top/' },
    threatInfo: {
      abuseType: 'SOCIAL_ENGINEERING',
      threatJustification: { labels: ['MANUAL_VERIFICATION'] },
    },
  });
});

test('a refused submission is retried after 30, 60 and 120 seconds, with the same idempotency key', async (t) => {
  const world = await submitting(t);
  const refusals = [
    { status: 500, delaySeconds: 30 },
    { status: 503, delaySeconds: 60 },
    { status: 502, delaySeconds: 120 },
  ];
  world.service.refuse(...refusals.map(({ status }) => ({ status })));
  const escalation = await escalate(world, 'acme.top');
  world.start();
  for (const [index, { status, delaySeconds }] of refusals.entries()) {
    const error = `the service answered ${status}`;
    await until(async () => (await submissionOf(world, escalation))?.error === error);
    const expected = { status: 'waiting', attempts: index + 1, error };
    assert.deepEqual(await submissionOf(world, escalation), expected);
    const justBeforeMs = world.clock.now() + delaySeconds * 1000 - 1;
    assert.deepEqual(await world.escalations.leaseSubmissions(1, justBeforeMs, justBeforeMs), []);
    world.clock.advanceSeconds(delaySeconds);
  }
  await until(async () => (await submissionOf(world, escalation))?.status === 'submitted');
  const keys = world.service.received.map(({ headers }) => headers['idempotency-key']);
  assert.deepEqual(keys, Array(4).fill(escalation.id));
});

test('Retry-After of the service is respected, in seconds and as a date', async (t) => {
  const world = await submitting(t);
  const date = new Date(world.clock.now() + 7_200_000).toUTCString();
  world.service.refuse(
    { status: 429, headers: { 'retry-after': '3600' } },
    { status: 503, headers: { 'retry-after': date } },
  );
  const escalation = await escalate(world, 'acme.top');
  world.start();
  const error = (status: number) => async () =>
    (await submissionOf(world, escalation))?.error === `the service answered ${status}`;
  await until(error(429));
  const due = (atMs: number) => world.escalations.leaseSubmissions(1, atMs, atMs);
  assert.equal((await due(world.clock.now() + 3_599_000)).length, 0);
  world.clock.advanceSeconds(3600);
  await until(error(503));
  assert.equal((await due(world.clock.now() + 3_599_000)).length, 0);
  world.clock.advanceSeconds(3600);
  await until(async () => (await submissionOf(world, escalation))?.status === 'submitted');
});

test('after detect.submissionAttemptsMax attempts a submission is given up', async (t) => {
  const world = await submitting(t, { 'detect.submissionAttemptsMax': '2' });
  world.service.refuse({ status: 400 }, { status: 302, headers: { location: '/elsewhere' } });
  const escalation = await escalate(world, 'acme.top');
  world.start();
  await until(async () => (await submissionOf(world, escalation))?.error !== undefined);
  world.clock.advanceSeconds(30);
  await until(async () => (await submissionOf(world, escalation))?.status === 'failed');
  const submission = await submissionOf(world, escalation);
  assert.deepEqual(submission, { status: 'failed', attempts: 2, error: 'the service answered 302' });
  assert.equal(world.service.received.length, 2);
});

test('without detect.webRiskUrl submissions wait, and nothing is sent', async (t) => {
  const world = await submitting(t, { 'detect.webRiskUrl': '' });
  const escalation = await escalate(world, 'acme.top');
  const webhook = await openReceiver(t);
  await world.subscribe(webhook.url);
  await world.discover('acme.shop');
  world.start();
  await webhook.until(1);
  assert.equal((await submissionOf(world, escalation))?.status, 'waiting');
  assert.equal(world.service.received.length, 0);
});

test('a non-public address is not called unless outgoing.allow permits it', async (t) => {
  const world = await submitting(t, { 'outgoing.allow': '192.0.2.1' });
  const escalation = await escalate(world, 'acme.top');
  world.start();
  await until(async () => (await submissionOf(world, escalation))?.error !== undefined);
  assert.match((await submissionOf(world, escalation))?.error ?? '', /127\.0\.0\.1 is not a public address/);
  assert.equal(world.service.received.length, 0);
});

test('a hanging service delays no webhook, and closing does not wait for it', async (t) => {
  const hanging = await openReceiver(t, { answer: () => undefined });
  const webhook = await openReceiver(t);
  const world = await submitting(t, { 'detect.webRiskUrl': hanging.url });
  const escalations = await Promise.all(
    Array.from({ length: 12 }, (_, number) => escalate(world, `acme${number}.top`)),
  );
  const deliveries = world.start();
  await hanging.until(8);
  await world.subscribe(webhook.url);
  await world.discover('acme.shop');
  await webhook.until(1);
  await deliveries.close();
  const statuses = await Promise.all(escalations.map((escalation) => submissionOf(world, escalation)));
  assert.ok(
    statuses.every((submission) => submission?.status === 'waiting' && submission.error === undefined),
  );
  assert.deepEqual(world.failures, []);
});

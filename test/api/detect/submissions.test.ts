/** Submission of escalations to the web-risk service, from the API operation to a local receiver. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createDialer } from '../../../src/outgoing/guarded-dialer.ts';
import { type Deliveries, startDeliveries } from '../../../src/product/detect/deliveries.ts';
import { until } from '../../harness/fixtures/delivery-fixture.ts';
import { discover, watchTerm } from '../../harness/fixtures/watch-domains.ts';
import { openWebRiskReceiver } from '../../harness/network/web-risk-receiver.ts';
import { type TestServer, testServer } from '../../harness/server/test-server.ts';

const token = 'web-risk-token';

async function escalating(t: TestContext) {
  const service = await openWebRiskReceiver(t, token);
  const settings = {
    'detect.webRiskUrl': service.url,
    'detect.webRiskToken': token,
    'outgoing.allow': '127.0.0.1',
  };
  const server = await testServer(t, { settings });
  const user = await server.user({ permissions: ['read', 'escalate'] });
  const { monitors, watchlist, clock } = server;
  const { id: accountId } = user.caller.account;
  const monitorId = await watchTerm(monitors, accountId, clock.now());
  const domains = ['acme.top', 'acme.shop'];
  const ids = await discover(watchlist, { accountId, monitorId, domains, atMs: clock.now() });
  const escalate = async (domain: string, type: string) => {
    const body = { watchlist_domain_ids: [ids.get(domain)], escalation_type: type };
    const answer = await server.call('POST /v1/intel-detect/escalations/', { key: user.key, body });
    assert.equal(answer.status, 200, answer.text);
    return answer.json.escalations[0].id as string;
  };
  const list = async () => {
    const answer = await server.call('GET /v1/intel-detect/escalations/', { key: user.key });
    return answer.json.escalations as { id: string; submission: Record<string, unknown> | null }[];
  };
  return { server, service, escalate, list, start: () => deliver(server) };
}

function deliver(server: TestServer): Deliveries {
  const { settings } = server;
  return startDeliveries({
    ...server,
    dialer: createDialer({ settings }),
    linkKey: Buffer.alloc(32),
    sendMail: async () => undefined,
    onFailure: assert.ifError,
    pollMs: 10,
  });
}

test('ESC-02 an external_safe escalation is submitted and its status shows it, a blocked one is not submitted', async (t) => {
  const { service, escalate, list, start } = await escalating(t);
  const blocked = await escalate('acme.shop', 'blocked');
  const safe = await escalate('acme.top', 'external_safe');
  assert.deepEqual((await list()).find(({ id }) => id === safe)?.submission, {
    status: 'waiting',
    attempts: 0,
    error: null,
  });
  const deliveries = start();
  const statusOf = async (id: string) => (await list()).find((one) => one.id === id)?.submission;
  await until(async () => (await statusOf(safe))?.['status'] === 'submitted');
  assert.deepEqual(service.submitted, new Map([[safe, 'http://acme.top/']]));
  assert.equal(await statusOf(blocked), null);
  await deliveries.close();
});

test('the token of the web-risk service is in no response and no log', async (t) => {
  const { server, service, escalate, list, start } = await escalating(t);
  service.refuse({ status: 403 });
  await escalate('acme.top', 'external_safe');
  const deliveries = start();
  await until(async () => (await list())[0]?.submission?.['error'] === 'the service answered 403');
  assert.ok(!JSON.stringify(await list()).includes(token));
  assert.ok(!server.log().includes(token));
  await deliveries.close();
});

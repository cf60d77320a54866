import assert from 'node:assert/strict';
import { test } from 'node:test';
import { probeRoutes, routeOf } from './harness/probe-routes.ts';
import { testServer } from './harness/test-server.ts';

test('smoke', async (t) => {
  const server = await testServer(t, { routes: [probeRoutes] });
  const user = await server.user();
  const answer = await server.call('GET /v1/account/', { key: user.key });
  assert.equal(answer.status, 200);
  const probe = await server.call(`${routeOf('getDetectIgnored')}?tlds[]=com&tlds=net&mx_exists=1`, {
    key: user.key,
  });
  assert.deepEqual(probe.json, {
    operation: 'getDetectIgnored',
    received: { tlds: ['com', 'net'], mx_exists: true },
  });
  assert.equal(probe.headers['content-type'], 'application/json');
});

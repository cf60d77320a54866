/** Evidence packs that are made on the page of a domain. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, test } from 'node:test';
import { verifyPack } from '../../../src/product/evidence/verify-pack.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { webSession } from '../../harness/server/web-session.ts';

const server = await testServer({ after });
const me = await webSession(server, { permissions: ['triage'] });
const { json: made } = await me.call('POST /evidence', { body: { domains: ['acme-login.example'] } });

test('a person makes a pack and downloads it as a file', async () => {
  const { bytes, headers } = await me.call(`GET /evidence/${made.id}/pack`);
  assert.equal(headers['content-disposition'], `attachment; filename="evidence-${made.id.slice(0, 8)}.zip"`);
  assert.equal(hash('sha256', bytes), made.sha256);
  assert.equal(verifyPack(bytes).isIntact, true);
});

test('a person of another account does not find the pack', async () => {
  const stranger = await webSession(server, { permissions: ['triage'] });
  assert.equal((await stranger.call(`GET /evidence/${made.id}/pack`)).status, 404);
});

test('what is no domain is refused and names the field', async () => {
  const { status, json } = await me.call('POST /evidence', { body: { domains: ['x..com'] } });
  assert.equal(status, 422);
  assert.deepEqual(Object.keys(json.error.fields), ['domains']);
});

/** Evidence packs that are made on the page of a domain. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, test } from 'node:test';
import { verifyPack } from '../../../src/model/evidence/verify-pack.ts';
import { testServer } from '../../harness/server/test-server.ts';
import { webSession } from '../../harness/server/web-session.ts';

const server = await testServer({ after });
const me = await webSession(server, { permissions: ['triage'] });
const { json: made } = await me.call('POST /evidence', { body: { domains: ['acme-login.example'] } });

test('a person makes a pack and downloads it as a file', async () => {
  const { bytes, headers } = await me.call(`GET /evidence/${made.id}/pack`);
  assert.equal(headers['content-disposition'], `attachment; filename="evidence-${made.id.slice(0, 8)}.zip"`);
  assert.equal(hash('sha256', bytes), made.sha256);
  assert.equal((await verifyPack(bytes)).isIntact, true);
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

test('a case is listed with the key of the installation, read with its letter, changed and deleted', async () => {
  const { json: other } = await me.call('POST /evidence', { body: { domains: ['acme-pay.example'] } });
  const { json: list } = await me.call('GET /evidence');
  const listed = list.cases.find(({ id }: { id: string }) => id === other.id);
  assert.ok(listed && !('letter' in listed));
  assert.equal(list.key.algorithm, 'Ed25519');
  const body = { sent: '2026-03-02', outcome: 'refused', recipient_name: 'Registrar\0 Ltd' };
  const { json: changed } = await me.call(`PATCH /evidence/${other.id}`, { body });
  assert.deepEqual([changed.case.sent, changed.case.outcome], ['2026-03-02T00:00:00.000Z', 'refused']);
  const { json: read } = await me.call(`GET /evidence/${other.id}`);
  assert.deepEqual(read, changed);
  assert.match(read.case.letter.text, /^Dear Registrar\uFFFD Ltd,/);
  assert.equal((await me.call(`DELETE /evidence/${other.id}`)).status, 204);
  assert.equal((await me.call(`GET /evidence/${other.id}`)).status, 404);
});

test('a date that is none is refused and names the field', async () => {
  const { status, json } = await me.call(`PATCH /evidence/${made.id}`, { body: { answered: 'soon' } });
  assert.equal(status, 422);
  assert.deepEqual(Object.keys(json.error.fields), ['answered']);
});

test('the page of a domain has the bytes that servers answered, and nobody else finds them there', async () => {
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\n\r\n<script>alert(1)</script>');
  const probe = { domain: 'acme-login.example', collector: 'web', request: 'GET /', address: undefined };
  const answer = { kind: 'http-head', asked: 'http://acme-login.example/', mediaType: 'text/html' } as const;
  await server.rawAnswers.saveAnswers([{ ...probe, ...answer, bytes, atMs: 1000, isTruncated: false }], {
    domainBytesMax: 1e6,
    totalBytesMax: 1e6,
  });
  const { json } = await me.call('GET /domains/acme-login.example/answers');
  const [{ sha256 }] = json.answers;
  const given = await me.call(`GET /domains/acme-login.example/answers/${sha256}`);
  assert.deepEqual(
    [given.text, given.headers['content-type']],
    [bytes.toString(), 'application/octet-stream'],
  );
  assert.equal((await me.call(`GET /domains/other.example/answers/${sha256}`)).status, 404);
});

test('a manager makes a domain passive on its page, and an analyst cannot', async () => {
  const path = 'PUT /domains/quiet.example/passive';
  const manager = await webSession(server, { permissions: ['manage'], name: 'manager' });
  const { json: set } = await manager.call(path, { body: { passive_only: true } });
  assert.deepEqual([set.passive_only, set.passive_set.by], [true, 'manager']);
  const { json: seen } = await me.call('GET /domains/quiet.example/requests');
  assert.deepEqual([seen.passive_only, seen.passive_set], [true, null]);
  assert.equal((await me.call(path, { body: { passive_only: false } })).status, 403);
  const { json: unset } = await manager.call(path, { body: { passive_only: false } });
  assert.deepEqual([unset.passive_only, unset.passive_set], [false, null]);
});

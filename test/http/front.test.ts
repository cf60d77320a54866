/** Paths outside every API: the reference pages and the endpoints of the operator. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callOverSocket } from '../harness/server/call-over-socket.ts';
import { testServer } from '../harness/server/test-server.ts';

test('a path outside the directory of the reference page is 404 and nothing is logged as a failure', async (t) => {
  const server = await testServer(t);
  for (const path of [
    '../../../package.json',
    '%2e%2e/package.json',
    '..%2f..%2fpackage.json',
    '..%5c..%5cpackage.json',
    'index.html%00.png',
    '%00',
    '.hidden',
    'swagger-ui.css/x',
    'a'.repeat(4000),
  ]) {
    assert.equal((await callOverSocket(server, `/docs/static/${path}`)).status, 404, path);
  }
  assert.doesNotMatch(server.log(), /request failed/);
});

test('a condition that an asset of the reference page does not meet is no failure of the server', async (t) => {
  const server = await testServer(t);
  const statusWith = async (headers: Readonly<Record<string, string>>) =>
    (await callOverSocket(server, '/docs/static/swagger-ui.css', headers)).status;
  assert.equal(await statusWith({ range: 'bytes=99999999-' }), 416);
  assert.equal(await statusWith({ 'if-match': '"other"' }), 412);
  assert.equal(await statusWith({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }), 412);
  assert.equal(await statusWith({}), 200);
  assert.doesNotMatch(server.log(), /request failed/);
});

test('metrics are not served under a name that the operator has not given to this server', async (t) => {
  const server = await testServer(t, {
    settings: { 'http.publicUrl': 'https://names.example:8443', 'http.operatorHosts': 'Scrape.Example' },
  });
  const call = (host: string) => server.call('GET /metrics', { headers: { host } });
  for (const host of [
    'evil.example',
    'evil.example:8080',
    '127.0.0.1.evil.example',
    'x.names.example',
    'localhost.evil.example',
    '[::1].evil.example',
  ]) {
    const { status, text } = await call(host);
    assert.equal(status, 400, host);
    assert.match(text, /Host header.*http\.operatorHosts/, host);
    assert.doesNotMatch(text, /nameglass_http_request_seconds/);
  }
  assert.equal(
    (await server.call('GET /metrics', { headers: { host: 'evil.example' }, from: '192.0.2.1' })).status,
    404,
  );
});

test('metrics are served under an address, a local name, the public name and the configured names', async (t) => {
  const server = await testServer(t, {
    settings: { 'http.publicUrl': 'https://names.example:8443', 'http.operatorHosts': 'Scrape.Example' },
  });
  for (const host of [
    '127.0.0.1:8080',
    '192.0.2.7',
    '[::1]:8080',
    '[2001:db8::1]',
    'localhost:8080',
    'nameglass.localhost',
    'nameglass:8080',
    'Names.Example',
    'scrape.example:9090',
    'SCRAPE.EXAMPLE.',
  ]) {
    assert.equal((await server.call('GET /metrics', { headers: { host } })).status, 200, host);
  }
});

test('health and readiness, which say nothing but a word, are served under any name', async (t) => {
  const server = await testServer(t);
  for (const path of ['/healthz', '/readyz'])
    assert.equal((await server.call(`GET ${path}`, { headers: { host: 'probe.example' } })).status, 200);
});

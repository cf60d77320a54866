/** `nameglass detect requests` and `passive`, and monitors that are passive-only. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remoteFixture } from './remote-fixture.ts';

test('what was asked of a domain is printed, and domains are made passive', async (t) => {
  const fixture = await remoteFixture(t);
  const { server } = fixture;
  const host = 'www.quiet.example\u001b[31m';
  const request = { domain: 'quiet.example', collector: 'web', protocol: 'https', host, port: 443 } as const;
  const address = { address: '192.0.2.1', source: '198.51.100.7' };
  await server.opsec.addRequests([{ ...request, ...address, atMs: server.clock.now(), outcome: '200' }]);
  const listed = await fixture.pipe(['detect', 'requests', 'hxxps://www.quiet[.]example/login']);
  assert.equal(listed.code, 0, listed.err);
  assert.equal(JSON.parse(listed.out).source, '198.51.100.7');
  const shown = await fixture.terminal(['detect', 'requests', 'quiet.example']);
  assert.match(
    shown.out,
    /web +https +www\.quiet\.example\\u\{1b\}\[31m +192\.0\.2\.1 443 +198\.51\.100\.7 +200/,
  );
  const passive = await fixture.pipe(['detect', 'passive', '--add', 'quiet.example']);
  assert.equal(JSON.parse(passive.out).domain, 'quiet.example');
  assert.match((await fixture.pipe(['detect', 'requests', 'quiet.example'])).err, /passive only/);
  const ended = await fixture.pipe(['detect', 'passive', '--remove', 'quiet.example']);
  assert.deepEqual([ended.code, ended.out], [0, '']);
  const refused = await fixture.pipe(['detect', 'passive', '--add', 'www.quiet.example']);
  assert.equal(refused.code, 2);
  assert.match(refused.err, /add: .*www\.quiet\.example/);
  const monitor = await fixture.pipe(['monitor', 'add', 'quietbrand', '--passive-only', '--json']);
  assert.equal(JSON.parse(monitor.out).passive_only, true);
});

/** What goes wrong between a command and a server: one clear sentence and an exit code each. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { remoteFixture } from './remote-fixture.ts';

const remote = await remoteFixture({ after }, { settings: { 'limits.feed.queriesPerMinute': '1' } });

async function otherServer(t: TestContext, listener: RequestListener): Promise<string> {
  const other = createServer(listener).listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  return `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
}

test('a host that does not exist gives exit code 1 and one sentence', async () => {
  const { code, out, err } = await remote.pipe(['whoami', '--server', 'https://nosuch.invalid']);
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /^nameglass: (There is no host|The name) nosuch\.invalid.*\n$/);
});

test('a port on which nothing listens gives exit code 1 and asks whether the server runs', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  t.diagnostic(`port ${port}`);
  const { code, err } = await remote.pipe(['whoami', '--server', `http://127.0.0.1:${port}`]);
  assert.equal(code, 1);
  assert.match(err, /^nameglass: Nothing answers at .*is the server running.*\n$/);
});

test('https to a server without TLS is one sentence', async () => {
  const { code, err } = await remote.pipe(['whoami', '--server', remote.url.replace('http:', 'https:')]);
  assert.equal(code, 1);
  assert.match(err, /^nameglass: .*does not speak TLS.*\n$/);
});

test('a web page in place of JSON is one sentence', async (t) => {
  const url = await otherServer(t, (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'),
  );
  const { code, err } = await remote.pipe(['whoami', '--server', url]);
  assert.equal(code, 1);
  assert.match(err, /^nameglass: .*web page.*\n$/);
});

test('a wrong key is exit code 3 on the platform and on passive DNS', async () => {
  const env = { NAMEGLASS_API_KEY: 'not-the-key' };
  for (const args of [['quota'], ['pdns', 'example.com']]) {
    const { code, err } = await remote.pipe(args, { env });
    assert.equal(code, 3, args[0]);
    assert.match(err, /^nameglass: .*refuses the key.*\n$/);
  }
});

test('a command that needs another permission is exit code 3 and names it', async () => {
  const { key } = await remote.server.user({ permissions: ['read'] });
  const { code, err } = await remote.pipe(['monitor', 'add', 'acmebank'], {
    env: { NAMEGLASS_API_KEY: key },
  });
  assert.equal(code, 3);
  assert.match(err, /manage/);
});

test('a limit that is used up is exit code 5 and says when to try again', async () => {
  assert.equal((await remote.pipe(['feed', 'nod', '--after', '1h'])).code, 0);
  const { code, out, err } = await remote.pipe(['feed', 'nod', '--after', '1h']);
  assert.deepEqual([code, out], [5, '']);
  assert.match(
    err,
    /^nameglass: .*1 per minute\. Try again in \d+ s, at .* UTC; --wait \d+ waits for it\.\n$/,
  );
});

test('--wait waits for a limit as long as the server says, and not longer than allowed', async (t) => {
  let requests = 0;
  const url = await otherServer(t, (_, response) => {
    requests += 1;
    if (requests % 2 === 1) response.writeHead(429, { 'retry-after': '1' }).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"response":{"products":[]}}');
  });
  const short = await remote.pipe(['api', '/v1/account/', '--server', url, '--wait', '0']);
  assert.deepEqual([short.code, requests], [5, 1]);
  requests = 0;
  const long = await remote.pipe(['api', '/v1/account/', '--server', url, '--wait', '5']);
  assert.deepEqual([long.code, requests], [0, 2]);
});

test('a response of passive DNS that is cut leaves no file and exit code 1', async (t) => {
  const url = await otherServer(t, (_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/x-ndjson' })
      .end(
        '{"cond":"begin"}\n{"obj":{"rrname":"a.example.","rrtype":"A","rdata":["192.0.2.1"],"count":1}}\n',
      ),
  );
  const file = join(temporaryDirectory(t), 'out.ndjson');
  const { code, err } = await remote.pipe(['pdns', 'a.example', '--server', url, '-o', file]);
  assert.equal(code, 1);
  assert.match(err, /broke off/);
  assert.equal(existsSync(file), false);
  assert.equal(existsSync(`${file}.part`), false);
});

test('a page of a server that redirects is not followed with the key', async (t) => {
  const asked: (string | undefined)[] = [];
  const elsewhere = await otherServer(t, (request, response) => {
    asked.push(request.url);
    response.end('{}');
  });
  const url = await otherServer(t, (_, response) => response.writeHead(302, { location: elsewhere }).end());
  const { code, err } = await remote.pipe(['whoami', '--server', url]);
  assert.equal(code, 1);
  assert.match(err, /redirects/);
  assert.deepEqual(asked, []);
});

const misuses: readonly (readonly [args: string, says: RegExp])[] = [
  ['enrich', /no domains given/],
  ['investigate', /what to search for/],
  ['investigate --registrar x --by tld', /--by needs --count/],
  ['pdns -r a.example -n b.example', /one of -r, -n and -i/],
  ['feed nod', /--session NAME/],
  ['blocklist --format nosuch', /plain/],
  ['api https://other.example/v1/account/', /--server/],
  ['detect list --risk high', />90/],
  ['whoami --profile nosuch', /nosuch/],
];

for (const [args, says] of misuses) {
  test(`nameglass ${args} is exit code 2 and says what to do`, async () => {
    const { code, out, err } = await remote.pipe(args.split(' '));
    assert.deepEqual([code, out], [2, ''], err);
    assert.match(err, says);
  });
}

test('NO_COLOR and --no-color leave the colours out on a terminal', async () => {
  const plain = await remote.terminal(['quota'], { env: { NO_COLOR: '1' } });
  const flagged = await remote.terminal(['quota', '--no-color']);
  for (const { code, out } of [plain, flagged]) {
    assert.equal(code, 0);
    assert.ok(!out.includes('\u001b'));
  }
});

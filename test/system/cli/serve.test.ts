import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { canaryBatchKey, canaryKey } from '../../harness/artifacts.ts';
import { nameglass, type Served, serve } from '../../harness/server/command-line.ts';
import { queryOf, signed } from '../../harness/server/request-signature.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const run = promisify(execFile);

/** The demonstration prints its instructions after the line that reports readiness. */
async function untilPrinted(served: Served, what: RegExp): Promise<RegExpExecArray> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const found = what.exec(served.output().out);
    if (found) return found;
    await pause(50);
  }
  return assert.fail(`${what} was not printed: ${served.output().out}`);
}

async function hasCurl(): Promise<boolean> {
  return run('curl', ['--version']).then(
    () => true,
    () => false,
  );
}

test('the first serve --demo prints working keys and a working curl command', async (t) => {
  const served = await serve(t, ['--data', temporaryDirectory(t), '--demo']);
  await untilPrinted(served, /Ctrl-C/);
  const [, key = ''] = await untilPrinted(served, /API key +(\S+)/);
  const [, batchKey = ''] = await untilPrinted(served, /batch key +(\S+)/);
  const [line] = await untilPrinted(served, /curl .*/);
  assert.ok(line.includes(served.url) && line.includes(key));
  if (await hasCurl()) {
    const { stdout } = await run('sh', ['-c', `${line} --silent`]);
    assert.equal(JSON.parse(stdout).response.account.api_username, 'demo');
  } else {
    assert.equal((await fetch(`${served.url}/v1/account/`, { headers: { 'x-api-key': key } })).status, 200);
  }
  const body = JSON.stringify({ apikey: batchKey });
  assert.equal((await fetch(`${served.url}/batchd/v1/validate`, { method: 'POST', body })).status, 200);
});

test('every serve --demo prints, above the keys, a link that signs in once', async (t) => {
  const data = temporaryDirectory(t);
  for (const keys of [/API key/, /key reset demo/]) {
    const served = await serve(t, ['--data', data, '--demo']);
    await untilPrinted(served, /Ctrl-C/);
    const [link, token] = await untilPrinted(
      served,
      /Open (?:http:\S+)\/ui\/enter\?t=(\S+) {2}\(works once, 10 minutes\)/,
    );
    const { out } = served.output();
    assert.ok(out.indexOf(link) < out.search(keys), out);
    assert.ok(link.includes(served.url));
    const enter = () =>
      fetch(`${served.url}/ui/api/session/link`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-requested-with': 'nameglass',
          'sec-fetch-site': 'same-origin',
        },
        body: JSON.stringify({ token }),
      });
    assert.deepEqual([(await enter()).status, (await enter()).status], [200, 401]);
    assert.equal(await served.stop(), 0);
  }
});

test('the second serve --demo keeps the account, prints no key, and the first key still works', async (t) => {
  const data = temporaryDirectory(t);
  const first = await serve(t, ['--data', data, '--demo']);
  await untilPrinted(first, /Ctrl-C/);
  const [, key = ''] = await untilPrinted(first, /API key +(\S+)/);
  assert.equal(await first.stop(), 0);

  const second = await serve(t, ['--data', data, '--demo']);
  await untilPrinted(second, /Ctrl-C/);
  assert.ok(!/API key|batch key|ngk_/.test(second.output().out), second.output().out);
  assert.match(second.output().out, /key reset demo/);
  const answer = await fetch(`${second.url}/v1/account/`, { headers: { 'x-api-key': key } });
  assert.equal(answer.status, 200);
});

test('serve without accounts creates none and prints how to create one', async (t) => {
  const served = await serve(t, ['--data', temporaryDirectory(t)]);
  await untilPrinted(served, /account create --username/);
  assert.ok(!served.output().out.includes('API key'));
});

test('a port in use gives exit code 1 and one line that names it', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const { code, out, err } = await nameglass([
    'serve',
    '--data',
    temporaryDirectory(t),
    '--port',
    String(port),
  ]);
  assert.equal(code, 1);
  const lines = err
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('{'));
  assert.equal(lines.length, 1, err);
  assert.match(lines[0] as string, new RegExp(`^nameglass: port ${port} .*--port`));
  assert.equal(out, '');
});

test('--role worker answers /healthz and none of the APIs', async (t) => {
  const { url } = await serve(t, ['--data', temporaryDirectory(t), '--role', 'worker']);
  const status = async (path: string) => (await fetch(url + path)).status;
  assert.equal(await status('/healthz'), 200);
  assert.equal(await status('/readyz'), 200);
  for (const path of ['/v1/account/', '/batchd/v1/validate', '/pdns/v2/ping']) {
    assert.equal(await status(path), 404, path);
  }
});

test('an account that create has reported survives an immediate kill', async (t) => {
  const [data, key] = [temporaryDirectory(t), canaryKey()];
  const first = await serve(t, ['--data', data]);
  const made = await nameglass(['account', 'create', '--data', data, '--username', 'alice', '--key', key]);
  assert.equal(await first.stop('SIGKILL'), null);
  assert.equal(made.code, 0, made.err);
  const { url } = await serve(t, ['--data', data]);
  assert.equal((await fetch(`${url}/v1/account/`, { headers: { 'x-api-key': key } })).status, 200);
});

async function opened(t: TestContext, { url }: Served, beginning: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.write(beginning);
  return { socket, text: () => text };
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close', { signal: AbortSignal.timeout(10_000) });
}

const body = '{"apikey":"not a key"}';
const halfRequest = `POST /batchd/v1/validate HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`;

/** Over a connection of its own, which is accepted after those before it. */
async function askOnce(t: TestContext, served: Served): Promise<void> {
  const { socket, text } = await opened(
    t,
    served,
    'GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  );
  await closed(socket);
  assert.match(text(), /^HTTP\/1\.1 200 /);
}

/** A server that was sent SIGTERM while a request was half sent. */
async function draining(t: TestContext) {
  const served = await serve(t, ['--data', temporaryDirectory(t), '--set', 'http.drainSeconds=5']);
  await untilPrinted(served, /Ctrl-C/);
  const underWay = await opened(t, served, halfRequest);
  const probe = await opened(t, served, 'GET /readyz HTTP/1.1\r\nHost: a\r\n');
  // By then the server has read what both have sent. Before that they would be idle connections, which are closed at once.
  await askOnce(t, served);
  await askOnce(t, served);
  served.child.kill('SIGTERM');
  await untilPrinted(served, /SIGTERM: /);
  await pause(200);
  return { served, underWay, probe, ended: once(served.child, 'close') as Promise<[number | null]> };
}

test('after SIGTERM the open request is answered, new connections are refused, and the exit code is 0', async (t) => {
  const { served, underWay, probe, ended } = await draining(t);
  probe.socket.write('\r\n');
  await closed(probe.socket);
  assert.match(probe.text(), /^HTTP\/1\.1 503 /);
  await assert.rejects(fetch(`${served.url}/healthz`));
  assert.equal(underWay.text(), '');
  underWay.socket.write(body.slice(5));
  await closed(underWay.socket);
  assert.match(underWay.text(), /^HTTP\/1\.1 403 [\s\S]*"_status":"NOK"/);
  assert.equal((await ended)[0], 0);
  assert.match(served.output().err, /"msg":"stopped"/);
});

test('the response to an open request during shutdown announces that its connection closes', async (t) => {
  const { underWay } = await draining(t);
  underWay.socket.write(body.slice(5));
  await closed(underWay.socket);
  assert.match(underWay.text(), /^connection: close\r$/im);
});

test('a second signal ends the process although a request is open', async (t) => {
  const { served, underWay, ended } = await draining(t);
  served.child.kill('SIGTERM');
  assert.notEqual((await ended)[0], 0);
  assert.equal(underWay.text(), '');
});

test('a request that never ends is aborted after http.drainSeconds', async (t) => {
  const served = await serve(t, ['--data', temporaryDirectory(t), '--set', 'http.drainSeconds=1']);
  await untilPrinted(served, /Ctrl-C/);
  await opened(t, served, halfRequest);
  await fetch(`${served.url}/healthz`);
  assert.equal(await served.stop(), 0);
});

test('AUTH-36 no credential reaches the log, however it is sent', async (t) => {
  const [data, key, batchKey] = [temporaryDirectory(t), canaryKey(), canaryBatchKey()];
  const user = ['--username', 'alice', '--key', key, '--batch-key', batchKey];
  assert.equal((await nameglass(['account', 'create', '--data', data, ...user])).code, 0);
  const served = await serve(t, ['--data', data, '--set', 'log.level=trace']);
  const path = '/v1/account/';
  const open = { api_username: 'alice', api_key: key };
  const signature = signed({ username: 'alice', key }, new Date().toISOString(), path);
  const json = { 'content-type': 'application/json' };
  const send = async (target: string, init: RequestInit = {}) => {
    const answer = await fetch(served.url + target, init);
    await answer.text();
    return answer.status;
  };
  const post = (target: string, sent: string, headers: Record<string, string> = {}) =>
    send(target, { method: 'POST', body: sent, headers });

  assert.equal(await send(path, { headers: { 'x-api-key': key } }), 200);
  assert.equal(await send(`${path}?${queryOf(open)}`), 200);
  assert.equal(await send(`${path}?api_username=alice&api%5Fkey=${key}`), 200);
  assert.equal(await send(`${path}?${queryOf(signature)}`), 200);
  const basic = `Basic ${Buffer.from(`alice:${key}`).toString('base64')}`;
  assert.equal(await send(path, { headers: { authorization: basic } }), 200);
  await post('/v1/intel-enrich/', queryOf(open), { 'content-type': 'application/x-www-form-urlencoded' });
  await post('/v1/intel-enrich/', JSON.stringify(open), json);
  await post('/v1/intel-enrich/', `{"api_key": "${key}", `, json);
  assert.equal(await post('/batchd/v1/validate', JSON.stringify({ apikey: batchKey })), 200);
  await post('/batchd/v1/validate', `{"apikey": "${batchKey}", `);
  await post(`/batchd/v1/validate?apikey=${batchKey}`, '{}');
  for (const nowhere of ['/nothing', '/v1/nothing/', '/pdns/v2/nothing']) {
    for (const name of ['api_key', 'API_KEY', 'apikey', 'key', 'api_key[]', 'X-API-Key']) {
      assert.equal(await send(`${nowhere}?${name}=${key}`), 404);
    }
  }
  assert.equal(await served.stop(), 0);
  const { err } = served.output();
  assert.match(err, /"url":"\/v1\/account\/\?/);
  const secrets = { key, batchKey, signature: signature.signature, basic: basic.slice(6) };
  for (const [name, secret] of Object.entries(secrets)) {
    const leaks = err.split('\n').filter((line) => line.includes(secret));
    assert.deepEqual(leaks, [], `${name} is in the log`);
  }
});

test('the commands that serve prints name the data directory of this server', async (t) => {
  const data = temporaryDirectory(t);
  const server = await serve(t, ['--demo', '--data', data]);
  assert.ok(await untilPrinted(server, new RegExp(`npx nameglass key reset demo --data ${data}\\n`)));
});

test('the databases are readable only by their owner, regardless of the mode of the directory', async (t) => {
  const data = temporaryDirectory(t);
  chmodSync(data, 0o755);
  await serve(t, ['--demo', '--data', data]);
  const modes = readdirSync(data, { recursive: true, encoding: 'utf8' }).map((name) => {
    const stat = statSync(join(data, name));
    return `${stat.isDirectory() ? 'directory' : 'file'} ${(stat.mode & 0o777).toString(8)}`;
  });
  assert.deepEqual([...new Set(modes)].sort(), ['directory 700', 'file 600']);
});

test('two demonstrations started concurrently on a new directory both serve, and exactly one prints the keys', async (t) => {
  const data = temporaryDirectory(t);
  const both = await Promise.all([
    serve(t, ['--demo', '--data', data]),
    serve(t, ['--demo', '--data', data]),
  ]);
  for (const served of both) {
    await untilPrinted(served, /Stop: Ctrl-C/);
    assert.equal((await fetch(`${served.url}/healthz`)).status, 200);
  }
  assert.equal(both.filter((served) => /API key +ngk_/.test(served.output().out)).length, 1);
});

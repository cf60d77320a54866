/** An API process that ends or hangs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRunning } from '../../../src/cli/running/running-process.ts';
import { isRunning, serve, signalTo } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { supervisedServer, until } from './supervised-server.ts';

const status = (url: string, key: string) =>
  fetch(`${url}/v1/account/`, { headers: { 'x-api-key': key } }).then(
    (answer) => answer.status,
    () => undefined,
  );

test('an API process that is killed answers again on the same port', async (t) => {
  const server = await supervisedServer(t);
  const { served, key } = server;
  const [api, worker] = [await server.pidOf('api'), await server.pidOf('worker')];
  signalTo(api, 'SIGKILL');
  await server.pidOf('api', api);
  await until('an answer', async () => ((await status(served.url, key)) === 200 ? true : undefined));
  assert.equal(await server.pidOf('worker'), worker);
  assert.equal(served.output().out.match(/ready at/g)?.length, 1);
  assert.equal(await served.stop(), 0);
});

test('an API process that does not answer its supervisor is ended and started again', async (t) => {
  const server = await supervisedServer(t, ['supervisor.hangSeconds=2']);
  const api = await server.pidOf('api');
  signalTo(api, 'SIGSTOP');
  await server.pidOf('api', api);
  assert.equal(isRunning(api), false);
  await until('an answer', async () =>
    (await status(server.served.url, server.key)) === 200 ? true : undefined,
  );
});

test('an API process that is lost before the first screen is printed costs nothing but time', async (t) => {
  const data = temporaryDirectory(t);
  const starting = serve(t, ['--data', data]);
  const first = await until(
    'the start',
    () => findRunning(data)?.processes?.find(({ role }) => role === 'api')?.pid,
  );
  signalTo(first, 'SIGKILL');
  const served = await starting;
  await until('the whole screen', () => (served.output().out.includes('Stop: Ctrl-C') ? true : undefined));
  await until('another process', () => {
    const { pid } = findRunning(data)?.processes?.find(({ role }) => role === 'api') ?? {};
    return pid !== undefined && pid !== first ? true : undefined;
  });
  await until('an answer', () =>
    fetch(`${served.url}/healthz`).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    ),
  );
  assert.equal(await served.stop(), 0);
});

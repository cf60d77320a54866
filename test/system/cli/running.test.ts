/** Commands beside a running server use its settings. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findRunning, listRunning } from '../../../src/cli/running/running-process.ts';
import { nameglass, serve } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const name = 'secure-paypal-login.top';

function announcements(data: string): readonly string[] {
  return readdirSync(data).filter((file) => file.startsWith('running'));
}

test('a running server announces itself and its settings', async (t) => {
  const data = temporaryDirectory(t);
  const made = await nameglass(['account', 'create', '--username', 'alice', '--json', '--data', data]);
  const apiKey = JSON.parse(made.out).api_key as string;
  const token = 'a-token-of-the-operator';
  const urlWithToken = `https://risk.example/?key=${token}`;
  const secret = [`detect.webRiskToken=${token}`, `detect.webRiskUrl=${urlWithToken}`];
  const served = await serve(t, [
    '--data',
    data,
    '--set',
    'risk.priorOneIn=3',
    'risk.hotlistHours=7',
    ...secret,
  ]);
  const running = findRunning(data);

  await t.test(
    'with its process, address, role and what is not the default, readable by its owner alone',
    () => {
      assert.equal(running?.pid, served.child.pid);
      assert.deepEqual([running?.url, running?.role], [served.url, 'all']);
      assert.deepEqual(running?.settings, {
        'http.port': Number(new URL(served.url).port),
        'risk.priorOneIn': 3,
        'risk.hotlistHours': 7,
      });
      assert.equal(statSync(join(data, 'running.json')).mode & 0o777, 0o600);
    },
  );

  await t.test('and never a secret, in a setting or in a URL', () => {
    assert.ok(!readFileSync(join(data, 'running.json'), 'utf8').includes(token));
  });

  await t.test('risk --stored gives the same score as the server', async () => {
    const answer = await fetch(`${served.url}/v1/risk/?domain=${name}`, { headers: { 'x-api-key': apiKey } });
    const { response } = (await answer.json()) as { response: { risk_score: number } };
    const { out, err } = await nameglass(['risk', name, '--stored', '--data', data]);
    assert.equal(JSON.parse(out).risk_score, response.risk_score);
    assert.equal(err, '');
    const others = await nameglass(['risk', name, '--stored', '--data', data, '--set', 'risk.priorOneIn=50']);
    assert.notEqual(JSON.parse(others.out).risk_score, response.risk_score);
  });

  await t.test(
    'config names the running server as the origin, and the flags of the command win',
    async () => {
      const { out } = await nameglass(['config', '--json', '--data', data, '--set', 'risk.hotlistHours=9']);
      const settings = JSON.parse(out) as { key: string; value: unknown; origin: string }[];
      const shown = (key: string) => {
        const found = settings.find((setting) => setting.key === key);
        return [found?.value, found?.origin];
      };
      assert.deepEqual(shown('risk.priorOneIn'), [3, `the running server (process ${served.child.pid})`]);
      assert.deepEqual(shown('risk.hotlistHours'), [9, 'flag --set']);
    },
  );

  await t.test('config with a file shows what a start with that file would use', async () => {
    const file = join(data, 'other.yaml');
    writeFileSync(file, `data: ${data}\n`);
    const { out } = await nameglass(['config', '--json', '--config', file]);
    assert.ok(!out.includes('the running server'));
  });

  await t.test('with --verbose a command says so on standard error', async () => {
    const { err } = await nameglass(['account', 'list', '--verbose', '--data', data]);
    assert.equal(
      err,
      `using the settings of the server at ${served.url} (process ${served.child.pid}) where no other is given\n`,
    );
  });

  await t.test('signin prints a link to the port that the server listens on', async () => {
    const { out } = await nameglass(['signin', 'alice', '--data', data]);
    assert.ok(out.startsWith(`Open ${served.url}/ui/enter?t=`), out);
  });

  await t.test('a second server on the directory is announced beside it, and outlives it', async () => {
    const worker = await serve(t, ['--data', data, '--role', 'worker']);
    assert.deepEqual(
      listRunning(data).map(({ role }) => role),
      ['all', 'worker'],
    );
    assert.equal(findRunning(data)?.pid, served.child.pid);
    assert.equal(await served.stop(), 0);
    assert.equal(findRunning(data)?.pid, worker.child.pid);
    assert.equal(await worker.stop(), 0);
  });

  await t.test('nothing is announced any more when it has stopped', () => {
    assert.deepEqual(announcements(data), []);
  });
});

test('the announcement of a killed server counts for nothing and is replaced by the next one', async (t) => {
  const data = temporaryDirectory(t);
  const killed = await serve(t, ['--data', data, '--set', 'risk.priorOneIn=3']);
  await killed.stop('SIGKILL');
  const file = join(data, 'running.json');
  assert.ok(existsSync(file));
  assert.equal(findRunning(data), undefined);

  // The id of a process is used again: here by this one.
  const left = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...left, pid: process.pid }));
  assert.equal(findRunning(data), undefined);

  const next = await serve(t, ['--data', data]);
  assert.equal(findRunning(data)?.pid, next.child.pid);
  assert.deepEqual(announcements(data), ['running.json']);
});

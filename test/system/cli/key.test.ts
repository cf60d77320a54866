import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canaryKey } from '../../harness/artifacts.ts';
import { nameglass, serve } from '../../harness/server/command-line.ts';
import { queryOf, signed } from '../../harness/server/request-signature.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

test('AUTH-23 key reset revokes the key on a running server immediately, for header, query and signature', async (t) => {
  const [data, key] = [temporaryDirectory(t), canaryKey()];
  const made = await nameglass(['account', 'create', '--data', data, '--username', 'alice', '--key', key]);
  assert.equal(made.code, 0, made.err);
  const { url } = await serve(t, ['--data', data]);
  const statuses = async (by: string, attempt: number) => {
    const path = '/v1/account/keys/';
    const credentials = signed({ username: 'alice', key: by }, new Date().toISOString(), path);
    const answers = await Promise.all([
      fetch(url + path, { headers: { 'x-api-key': by } }),
      fetch(`${url}${path}?${queryOf({ api_username: 'alice', api_key: by })}`),
      fetch(`${url}${path}?${queryOf(credentials)}&attempt=${attempt}`),
    ]);
    return answers.map(({ status }) => status);
  };
  const alive = await statuses(key, 1);
  assert.ok(!alive.includes(401), alive.join());

  const reset = await nameglass(['key', 'reset', 'alice', '--data', data, '--json']);
  assert.equal(reset.code, 0, reset.err);
  assert.deepEqual(await statuses(key, 2), [401, 401, 401]);
  const { username, api_key: newKey } = JSON.parse(reset.out);
  assert.equal(username, 'alice');
  assert.deepEqual(await statuses(newKey, 3), alive);
});

test('key reset prints the new key', async (t) => {
  const [data, key] = [temporaryDirectory(t), canaryKey()];
  await nameglass(['account', 'create', '--data', data, '--username', 'alice', '--key', key]);
  const { code, out } = await nameglass(['key', 'reset', 'alice', '--data', data]);
  assert.equal(code, 0);
  assert.match(out, /API key +ngk_[0-9a-f]{44}\n/);
  assert.ok(!out.includes(key));
});

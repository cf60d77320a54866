import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameglass, serve } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import type { TestScope } from '../../harness/test-scope.ts';

async function withAccount(scope: TestScope): Promise<(...args: string[]) => ReturnType<typeof nameglass>> {
  const data = temporaryDirectory(scope);
  const run = (...args: string[]) => nameglass([...args, '--data', data]);
  const made = await run(
    'account',
    'create',
    '--username',
    'alice',
    '--account',
    'acme',
    '--permissions',
    'manage',
  );
  assert.equal(made.code, 0, made.err);
  return run;
}

test('signin turns an API user into a person and prints a link that a running server accepts once', async (t) => {
  const data = temporaryDirectory(t);
  await nameglass(['account', 'create', '--username', 'alice', '--permissions', 'manage', '--data', data]);
  const served = await serve(t, ['--data', data]);
  const port = new URL(served.url).port;
  const made = await nameglass(['signin', '--data', data, '--port', port]);
  const [, link = ''] = /^Open (\S+) {2}\(signs in alice; works once, 10 minutes\)\n$/.exec(made.out) ?? [];
  assert.ok(link.startsWith(`${served.url}/ui/enter?t=`), made.out + made.err);
  const enter = () =>
    fetch(`${served.url}/ui/api/session/link`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'nameglass',
        'sec-fetch-site': 'same-origin',
      },
      body: JSON.stringify({ token: link.split('t=')[1] }),
    });
  const answer = await enter();
  const { me } = (await answer.json()) as { me: { person: object; permissions: string[] } };
  assert.deepEqual([me.person, me.permissions], [{ name: 'alice' }, ['read', 'manage']]);
  assert.equal((await enter()).status, 401);
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const status = async () => (await fetch(`${served.url}/ui/api/me`, { headers: { cookie } })).status;
  assert.equal(await status(), 200);
  assert.equal(
    (await nameglass(['person', 'signout', 'alice', '--data', data])).out,
    'Ended 1 session of alice.\n',
  );
  assert.equal(await status(), 401);
  assert.match(served.output().out, /Sign in with a link: npx nameglass signin alice/);
});

test('people are added, listed, changed and removed', async (t) => {
  const run = await withAccount(t);
  const added = await run(
    'person',
    'add',
    'bob',
    '--permissions',
    'triage,escalate',
    '--email',
    'bob@acme.example',
    '--json',
  );
  const { url, account, permissions, email } = JSON.parse(added.out);
  assert.deepEqual([account, permissions, email], ['acme', ['triage', 'escalate'], 'bob@acme.example']);
  assert.match(url, /^http:\/\/127\.0\.0\.1:8080\/ui\/enter\?t=/);
  assert.match(
    (await run('person', 'list')).out,
    /^bob +acme +triage,escalate +a link only +bob@acme\.example$/m,
  );
  assert.equal(
    (await run('person', 'update', 'BOB', '--permissions', 'admin', '--email', 'none')).out,
    'Updated bob.\n',
  );
  const [listed] = JSON.parse((await run('person', 'list', '--account', 'acme', '--json')).out);
  assert.deepEqual([listed.permissions, listed.email], [['admin'], null]);
  assert.equal((await run('person', 'remove', 'bob')).out, 'Removed bob.\n');
  assert.match((await run('person', 'list')).out, /No people/);
  const audit = (await run('account', 'audit', 'acme')).out;
  for (const action of ['person.create', 'sign-in-link.create', 'person.update', 'person.remove'])
    assert.ok(audit.includes(action), audit);
});

test('mistakes of the person commands say what to do', async (t) => {
  const run = await withAccount(t);
  for (const [args, message, code] of [
    [['person', 'remove', 'nobody'], /there is no person nobody; nameglass person list/, 1],
    [['person', 'add', 'two words'], /a username must have/, 2],
    [['person', 'add', 'bob', '--permissions', 'fly'], /Expected one or more of read, triage/, 2],
    [['person', 'add', 'bob', '--account', 'other'], /there is no account other/, 1],
    [['person', 'add', 'Alice'], /taken/, 1],
    [['signin', 'nobody'], /there is no person nobody; create one: nameglass person add nobody/, 1],
    [['person', 'update', 'alice'], /nothing to change/, 2],
  ] as const) {
    const { code: exit, err } = await run(...args);
    assert.match(err, message);
    assert.equal(exit, code, args.join(' '));
  }
});

test('person operator makes a person an operator of the server, and --remove ends it', async (t) => {
  const run = await withAccount(t);
  await run('person', 'add', 'bob');
  const isOperator = async () => JSON.parse((await run('person', 'list', '--json')).out)[0].operator;
  assert.equal(await isOperator(), false);
  assert.equal((await run('person', 'operator', 'bob')).out, 'bob is an operator of this server now.\n');
  assert.equal(await isOperator(), true);
  assert.equal(
    (await run('person', 'operator', 'bob', '--remove')).out,
    'bob is no operator of this server.\n',
  );
  assert.equal(await isOperator(), false);
  const unknown = await run('person', 'operator', 'eve');
  assert.deepEqual([unknown.code, /there is no person eve/.test(unknown.err)], [1, true]);
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { temporaryDirectory } from './temporary-directory.ts';
import { sharedInFile, type TestScope } from './test-scope.ts';

/** Runs hooks as Node.js does, in the order of their registration. */
function scopeOfTest(): { readonly scope: TestScope; readonly end: () => Promise<void> } {
  const hooks: (() => unknown)[] = [];
  return {
    scope: { after: (hook) => void hooks.push(hook) },
    end: async () => {
      for (const hook of hooks) await hook();
    },
  };
}

test('a temporary directory is removed after everything that was registered later has closed', async () => {
  const { scope, end } = scopeOfTest();
  const directory = temporaryDirectory(scope);
  const closed: string[] = [];
  const close = (what: string) => async () => void closed.push(`${what} ${existsSync(directory)}`);
  scope.after(close('stores'));
  scope.after(close('server'));
  await end();
  assert.deepEqual(closed, ['server true', 'stores true']);
  assert.ok(!existsSync(directory));
});

test('a failure to close something is reported, and everything else is closed and removed', async () => {
  const { scope, end } = scopeOfTest();
  const [one, other] = [temporaryDirectory(scope), temporaryDirectory(scope)];
  scope.after(() => Promise.reject(new Error('it does not close')));
  await assert.rejects(end(), /it does not close/);
  assert.deepEqual([existsSync(one), existsSync(other)], [false, false]);
});

const shared = sharedInFile(async (_scope, key: string) => ({ key }));

test('what tests share is made once for each key', async () => {
  assert.equal(await shared('a'), await shared('a'));
  assert.notEqual(await shared('a'), await shared('b'));
});

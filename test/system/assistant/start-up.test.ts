/** When a server loads the library of the protocol, which holds the event loop for longer than any request may. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nameglass, serve } from '../../harness/server/command-line.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import type { TestScope } from '../../harness/test-scope.ts';

/** Whether a server that answers, and has answered no assistant, has loaded the library. */
async function hasLoadedLibrary(scope: TestScope, enabled: boolean): Promise<boolean> {
  const data = temporaryDirectory(scope);
  // Before there is an account nobody can ask.
  await nameglass(['account', 'create', '--username', 'ann', '--data', data]);
  const loaded = join(temporaryDirectory(scope), 'loaded');
  writeFileSync(loaded, '');
  const hook = `
    import { appendFileSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    const loaded = ${JSON.stringify(loaded)};
    registerHooks({ load(url, context, next) { appendFileSync(loaded, url + '\\n'); return next(url, context); } });`;
  await serve(scope, ['--data', data], {
    env: {
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hook)}`,
      NAMEGLASS_ASSISTANT_ENABLED: String(enabled),
    },
  });
  return readFileSync(loaded, 'utf8').includes('/@modelcontextprotocol/server/');
}

test('the library of assistants is loaded before the server listens, not by the first request', async (t) => {
  assert.equal(await hasLoadedLibrary(t, true), true);
});

test('a server without assistants never loads their library', async (t) => {
  assert.equal(await hasLoadedLibrary(t, false), false);
});

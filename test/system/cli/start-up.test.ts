import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '../../..');

const reportLoaded = `
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  registerHooks({ load(url, context, next) { writeSync(2, url + '\\n'); return next(url, context); } });`;

/** Our own files that a run of the command line loads. */
function loadedFiles(...args: readonly string[]): readonly string[] {
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(reportLoaded)}`,
      join(root, 'bin/nameglass.js'),
      ...args,
    ],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('file:') && !line.includes('/node_modules/'))
    .map((url) => relative(root, fileURLToPath(url)))
    .sort();
}

/** The parser, what prints an error, and what comes before anything else is loaded or opened. */
const light = [
  'bin/nameglass.js',
  'src/asset-path.ts',
  'src/cli/data-owner.ts',
  'src/cli/output.ts',
  'src/cli/run.ts',
  'src/main.ts',
  'src/model/escape-for-terminal.ts',
  'src/model/hidden-characters.ts',
  'src/model/problem.ts',
  'src/service/small-heap.ts',
];

for (const args of [['--help'], ['version'], ['--version'], ['help']])
  test(`${args.join(' ')} loads no command and nothing that a command needs`, () => {
    assert.deepEqual(
      loadedFiles(...args).filter((file) => !light.includes(file)),
      [],
    );
  });

test('the help of a command loads neither the stores nor the server', () => {
  const files = loadedFiles('account', 'list', '--help');
  assert.ok(files.includes('src/cli/account/account-command.ts'));
  assert.deepEqual(
    files.filter((file) => /^src\/(?:store\/embedded|http|pipeline|collect)\//.test(file)),
    [],
  );
});

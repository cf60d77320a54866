import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandOf, readCommandLine, UsageError } from '../../../bench/harness/options.ts';

const known = ['http', 'pdns'];

test('without a name every benchmark runs at full size', () => {
  const { names, isAll, size } = readCommandLine([], known);
  assert.deepEqual([names, isAll, size], [known, true, 'full']);
});

test('names, size, files and the options of mixed load are read', () => {
  const args = ['pdns', '--size', 'tiny', '--json', 'a.json', '--compare', 'b.json', '--minutes', '0.5'];
  const { names, isAll, size, json, compare, options } = readCommandLine([...args, '--kill-worker'], known);
  assert.deepEqual([names, isAll, size, json, compare], [['pdns'], false, 'tiny', 'a.json', 'b.json']);
  assert.deepEqual(options, { minutes: 0.5, killWorker: true, store: 'embedded' });
});

for (const [args, message] of [
  [['nothing'], /unknown benchmark nothing; there are: all, http, pdns/],
  [['--size', 'huge'], /--size is one of tiny, small, full, not huge/],
  [['--minutes', 'x'], /--minutes is a number above 0/],
  [['--resume'], /--resume needs --json FILE/],
  [['--bogus'], /--bogus/],
] as const)
  test(`${args.join(' ')} is a usage error that says what is possible`, () => {
    assert.throws(() => readCommandLine(args, known), { name: 'Error', message });
    assert.throws(() => readCommandLine(args, known), UsageError);
  });

test('the command of a run names what was measured, and no file of the machine', () => {
  const typed = 'pdns mixed --size small --minutes 2 --kill-worker --json now.json --resume --keep seeds';
  const line = readCommandLine(typed.split(' '), ['pdns', 'mixed']);
  assert.equal(commandOf(line), 'npm run bench -- pdns mixed --size small --minutes 2 --kill-worker');
});

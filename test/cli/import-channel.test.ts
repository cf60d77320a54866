import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { openStreamStore } from '../../src/store/embedded/stream-store.ts';
import type { StreamState } from '../../src/store/stream-store.ts';
import { nameglass, type Outcome, type RunOptions } from '../harness/spawned.ts';
import { streamText } from '../harness/stream-text.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
const two = '{"domain":"a.example"}\n{"domain":"b.example"}\n';

const importing = (data: string, words: string, options?: RunOptions): Promise<Outcome> =>
  nameglass(['import', 'channel', '--data', data, ...words.split(' ')], options);

async function held(
  data: string,
  stream = 'ch212',
): Promise<{ text: string; state: StreamState | undefined }> {
  const streams = openStreamStore(data);
  try {
    return { text: await streamText(streams, stream), state: await streams.findState(stream) };
  } finally {
    await streams.close();
  }
}

test('lines from standard input are appended to the channel as they are', async (t) => {
  const data = temporaryDirectory(t);
  const { code, out, err } = await importing(data, '212 -', { input: two });
  assert.deepEqual([code, out, err], [0, 'imported: 2 of 2 lines\n', '']);
  assert.equal((await held(data)).text, two);
});

test('a file is appended once, however often and from wherever it is imported', async (t) => {
  const data = temporaryDirectory(t);
  const [file, copy] = [join(data, 'lines'), join(data, 'copy')];
  writeFileSync(file, gzipSync(two));
  copyFileSync(file, copy);
  const first = await importing(data, `212 ${file}`);
  assert.match(first.out, /^imported: 2 of 2 lines\nimport id: sha256:[0-9a-f]{32}\n$/);
  const again = await importing(data, `212 ${copy}`);
  assert.match(again.out, /^already imported: nothing changed\nimport id: sha256:[0-9a-f]{32}\n$/);
  assert.equal((await held(data)).text, two);
});

test('the same file goes into another channel as well', async (t) => {
  const data = temporaryDirectory(t);
  const file = join(data, 'lines');
  writeFileSync(file, two);
  for (const channel of [211, 212]) await importing(data, `${channel} ${file}`);
  assert.deepEqual([(await held(data, 'ch211')).text, (await held(data)).text], [two, two]);
});

test('malformed lines are told with their number and passed over', async (t) => {
  const data = temporaryDirectory(t);
  const input = '{"domain":"a.example"}\nnonsense\n\n[1]\n{"domain":"b.example"}';
  const { code, out, err } = await importing(data, '212 -', { input });
  assert.deepEqual([code, out], [0, 'imported: 2 of 5 lines; 2 malformed lines skipped\n']);
  assert.equal(err, 'line 2: is not valid JSON\nline 4: is not a JSON object\n');
  assert.equal((await held(data)).text, two);
});

test('--faults-shown says how many malformed lines are told', async (t) => {
  const data = temporaryDirectory(t);
  const { err } = await importing(data, '212 - --faults-shown 1', { input: '1\n2\n3\n{}\n' });
  assert.equal(err, 'line 1: is not a JSON object\n… and 2 more (--faults-shown N shows more)\n');
});

test('--json prints the counts', async (t) => {
  const data = temporaryDirectory(t);
  const words = '212 - --json --import-id mine';
  const { out } = await importing(data, words, { input: `${two}x\n` });
  assert.deepEqual(JSON.parse(out), { read: 3, appended: 2, malformed: 1, before: 0, import_id: 'mine' });
  const again = await importing(data, words, { input: `${two}x\n{"c":1}\n` });
  assert.deepEqual(JSON.parse(again.out), {
    read: 4,
    appended: 1,
    malformed: 0,
    before: 3,
    import_id: 'mine',
  });
  assert.equal((await held(data)).text, `${two}{"c":1}\n`);
});

test('--at puts lines into the minute of that time', async (t) => {
  const data = temporaryDirectory(t);
  const { code, err } = await importing(data, '212 - --at 2026-02-20T17:05:30Z', { input: two });
  assert.deepEqual([code, err], [0, '']);
  const minute = Date.parse('2026-02-20T17:05:00Z') / 60_000;
  const { state } = await held(data);
  assert.deepEqual([state?.earliestMinute, state?.latestMinute], [minute, minute]);
});

test('--at before the last line of the channel puts lines there, with a word of warning', async (t) => {
  const data = temporaryDirectory(t);
  await importing(data, '212 - --at 2026-02-20T17:05:30Z', { input: two });
  const { code, err } = await importing(data, '212 - --at 2026-02-20T16:00:00Z', { input: '{"c":1}\n' });
  assert.deepEqual([code, err.startsWith('the channel has lines of 2026-02-20T17:05Z already')], [0, true]);
  const { text, state } = await held(data);
  assert.equal(text, `${two}{"c":1}\n`);
  assert.equal(state?.earliestMinute, state?.latestMinute);
});

const misuses: readonly (readonly [words: string, code: number, says: RegExp])[] = [
  [
    '99 -',
    1,
    /channel 99 is not declared \(204, .*to declare it, add 99 with description and mimetype to batch\.channels/,
  ],
  ['x -', 2, /Say a whole number/],
  ['0 -', 2, /1 or more/],
  ['212 /nonexistent/file', 1, /there is no file/],
  ['212 /tmp', 1, /is a directory/],
  ['212 - --at tomorrow', 2, /epoch seconds/],
  ['212 - --at 2999-01-01', 2, /--at: is in the future/],
];
for (const [words, expected, says] of misuses) {
  test(`import channel ${words} ends with exit code ${expected} and appends nothing`, async (t) => {
    const data = temporaryDirectory(t);
    const { code, err } = await importing(data, words, { input: two });
    assert.equal(code, expected, err);
    assert.match(err, says);
    assert.equal(err.trim().split('\n').length <= 2, true, err);
    if (existsSync(join(data, 'streams'))) assert.equal((await held(data)).text, '');
  });
}

test('a packed file that is cut off is told of, and imported to its end when it is whole', async (t) => {
  const data = temporaryDirectory(t);
  const file = join(data, 'lines.gz');
  const whole = gzipSync(Array.from({ length: 20_000 }, (_, index) => `{"n":${index}}\n`).join(''));
  writeFileSync(file, whole.subarray(0, whole.length / 2));
  const cut = await importing(data, `212 ${file} --import-id f`);
  assert.equal(cut.code, 1);
  assert.match(cut.err, /damaged or cut off/);
  writeFileSync(file, whole);
  await importing(data, `212 ${file} --import-id f`);
  assert.equal((await held(data)).text.split('\n').length, 20_001);
});

test('an import that is killed at any moment and repeated until it ends appends every line once', async (t) => {
  const data = temporaryDirectory(t);
  const file = join(data, 'lines.ndjson');
  const padding = 'x'.repeat(200);
  const text = Array.from({ length: 40_000 }, (_, index) => `{"n":${index},"p":"${padding}"}\n`).join('');
  writeFileSync(file, text);
  const begin = () => {
    const child = spawn(process.execPath, [main, 'import', 'channel', '212', file, '--data', data], {
      stdio: 'ignore',
    });
    t.after(() => child.kill('SIGKILL'));
    return { child, ended: once(child, 'close') as Promise<[number | null]> };
  };
  let kills = 0;
  for (let round = 0; round < 4; round += 1) {
    const before = sizeOf(data);
    const { child, ended } = begin();
    // Killed soon after something more was written.
    while (child.exitCode === null && sizeOf(data) === before) await pause(2);
    await pause(Math.random() * 20);
    if (child.kill('SIGKILL')) kills += 1;
    await ended;
  }
  const [code] = await begin().ended;
  assert.equal(code, 0);
  assert.ok(kills > 0);
  assert.ok((await held(data)).text === text, 'every line is there once and in its order');
  assert.match((await importing(data, `212 ${file}`)).out, /^already imported/);
});

/** The bytes in the files of the channel, confirmed or not. */
function sizeOf(data: string): number {
  const directory = join(data, 'streams/ch212');
  const files = existsSync(directory) ? readdirSync(directory) : [];
  return files.reduce((sum, file) => sum + statSync(join(directory, file)).size, 0);
}

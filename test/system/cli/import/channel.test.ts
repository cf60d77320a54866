import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { openStreamStore } from '../../../../src/store/embedded/stream-store.ts';
import type { StreamState } from '../../../../src/store/stream-store.ts';
import { streamText } from '../../../harness/fixtures/stream-text.ts';
import { nameglass, type Outcome, type RunOptions } from '../../../harness/server/command-line.ts';
import { program } from '../../../harness/server/program.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';

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

test('lines from standard input are appended to the channel unchanged', async (t) => {
  const data = temporaryDirectory(t);
  const { code, out, err } = await importing(data, '212 -', { input: two });
  assert.deepEqual([code, out, err], [0, 'imported: 2 of 2 lines\n', '']);
  assert.equal((await held(data)).text, two);
});

test('importing a file again, from any path, appends nothing', async (t) => {
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

test('the same file can be imported into another channel', async (t) => {
  const data = temporaryDirectory(t);
  const file = join(data, 'lines');
  writeFileSync(file, two);
  for (const channel of [211, 212]) await importing(data, `${channel} ${file}`);
  assert.deepEqual([(await held(data, 'ch211')).text, (await held(data)).text], [two, two]);
});

test('malformed lines are reported with their number and skipped', async (t) => {
  const data = temporaryDirectory(t);
  const input = '{"domain":"a.example"}\nnonsense\n\n[1]\n{"domain":"b.example"}';
  const { code, out, err } = await importing(data, '212 -', { input });
  assert.deepEqual([code, out], [0, 'imported: 2 of 5 lines; 2 malformed lines skipped\n']);
  assert.equal(err, 'line 2: is not valid JSON\nline 4: is not a JSON object\n');
  assert.equal((await held(data)).text, two);
});

test('--faults-shown limits how many malformed lines are reported', async (t) => {
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

test('--at assigns lines to the minute of that time', async (t) => {
  const data = temporaryDirectory(t);
  const { code, err } = await importing(data, '212 - --at 2026-02-20T17:05:30Z', { input: two });
  assert.deepEqual([code, err], [0, '']);
  const minute = Date.parse('2026-02-20T17:05:00Z') / 60_000;
  const { state } = await held(data);
  assert.deepEqual([state?.earliestMinute, state?.latestMinute], [minute, minute]);
});

test('--at before the last line of the channel assigns lines to its minute, with a warning', async (t) => {
  const data = temporaryDirectory(t);
  await importing(data, '212 - --at 2026-02-20T17:05:30Z', { input: two });
  const { code, err } = await importing(data, '212 - --at 2026-02-20T16:00:00Z', { input: '{"c":1}\n' });
  assert.deepEqual([code, err.startsWith('the channel already has lines of 2026-02-20T17:05Z')], [0, true]);
  const { text, state } = await held(data);
  assert.equal(text, `${two}{"c":1}\n`);
  assert.equal(state?.earliestMinute, state?.latestMinute);
});

const misuses: readonly (readonly [words: string, code: number, says: RegExp])[] = [
  [
    '99 -',
    1,
    /channel 99 is not configured \(204, .*to configure it, add 99 with description and mimetype to batch\.channels/,
  ],
  ['x -', 2, /Expected a whole number/],
  ['0 -', 2, /1 or more/],
  ['212 /nonexistent/file', 1, /there is no file/],
  ['212 /tmp', 1, /is a directory/],
  ['212 - --at tomorrow', 2, /epoch seconds/],
  ['212 - --at 2999-01-01', 2, /--at: is in the future/],
];
for (const [words, expected, says] of misuses) {
  test(`import channel ${words} gives exit code ${expected} and appends nothing`, async (t) => {
    const data = temporaryDirectory(t);
    const { code, err } = await importing(data, words, { input: two });
    assert.equal(code, expected, err);
    assert.match(err, says);
    assert.equal(err.trim().split('\n').length <= 2, true, err);
    if (existsSync(join(data, 'streams'))) assert.equal((await held(data)).text, '');
  });
}

test('a truncated compressed file is reported, and a later import of the complete file resumes after the last full batch', async (t) => {
  const data = temporaryDirectory(t);
  const file = join(data, 'lines.gz');
  // Batches are of one megabyte: about six of them, of which the truncated file holds three.
  const lines = Array.from({ length: 25_000 }, (_, index) => `{"n":${index},"p":"${'x'.repeat(230)}"}\n`);
  const whole = gzipSync(lines.join(''), { level: 0 });
  writeFileSync(file, whole.subarray(0, whole.length / 2));
  const truncated = await importing(data, `212 ${file} --import-id f`);
  assert.equal(truncated.code, 1);
  assert.match(truncated.err, /damaged or truncated/);
  const imported = (await held(data)).text.split('\n').length - 1;
  assert.ok(imported > 8000 && imported < 12_500, `${imported} lines after the truncated file`);
  writeFileSync(file, whole);
  const resumed = await importing(data, `212 ${file} --import-id f --json`);
  const { read, appended, before } = JSON.parse(resumed.out);
  assert.deepEqual([read, appended, before], [25_000, 25_000 - imported, imported]);
  assert.ok((await held(data)).text === lines.join(''), 'every line is there exactly once, in order');
});

test('an import that is killed at any moment and repeated appends every line exactly once', async (t) => {
  const data = temporaryDirectory(t);
  const file = join(data, 'lines.ndjson');
  const padding = 'x'.repeat(200);
  const text = Array.from({ length: 40_000 }, (_, index) => `{"n":${index},"p":"${padding}"}\n`).join('');
  writeFileSync(file, text);
  const begin = () => {
    const child = spawn(process.execPath, [program, 'import', 'channel', '212', file, '--data', data], {
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

/** The size of the files of the channel, committed or not. */
function sizeOf(data: string): number {
  const directory = join(data, 'streams/ch212');
  const files = existsSync(directory) ? readdirSync(directory) : [];
  return files.reduce((sum, file) => sum + statSync(join(directory, file)).size, 0);
}

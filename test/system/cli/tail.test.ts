import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openAccountStore } from '../../../src/store/embedded/account-store.ts';
import { openStreamStore } from '../../../src/store/embedded/stream-store.ts';
import { keyVault, openServerSecret } from '../../../src/store/key-vault.ts';
import type { StreamStore } from '../../../src/store/stream-store.ts';
import { nameglass } from '../../harness/server/command-line.ts';
import { program } from '../../harness/server/program.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const line = (name: string) => `{"domain":"${name}.example"}\n`;
const fivePast = Date.parse('2026-02-20T17:05:00Z');

interface World {
  readonly data: string;
  readonly append: (text: string, atMs?: number, stream?: string) => Promise<unknown>;
}

/** A data directory as `serve` creates it, with a store that stays open while the command runs. */
async function world(t: TestContext): Promise<World> {
  const data = temporaryDirectory(t);
  await openAccountStore(data, keyVault(openServerSecret(data, ''))).close();
  const streams: StreamStore = openStreamStore(data);
  t.after(() => streams.close());
  return {
    data,
    append: (text, atMs = fivePast, stream = 'feed-nod') =>
      streams.append([{ stream, bytes: Buffer.from(text) }], atMs),
  };
}

const tail = (data: string, ...words: readonly string[]) => nameglass(['tail', ...words, '--data', data]);

test('tail --from prints the lines from that minute on, and stops after --lines', async (t) => {
  const { data, append } = await world(t);
  await append(line('before'), fivePast - 60_000);
  await append(line('a') + line('b'));
  await append(line('c'), fivePast + 60_000);
  await append(line('d'), fivePast + 120_000);
  const { code, out, err } = await tail(data, 'nod', '--from', '2026-02-20T17:05:00Z', '--lines', '3');
  assert.deepEqual([code, out, err], [0, line('a') + line('b') + line('c'), '']);
});

test('tail reads a channel by its name', async (t) => {
  const { data, append } = await world(t);
  await append(line('a'), fivePast, 'ch212');
  const { out } = await tail(data, 'ch212', '--from', '2026-02-20', '--lines', '1');
  assert.equal(out, line('a'));
});

function started(t: TestContext, data: string, ...words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [program, 'tail', ...words, '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

/** Resolves when the output ends with this text. */
async function saw(child: ChildProcess, text: string): Promise<string> {
  let out = '';
  for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    out += String(chunk);
    if (out.endsWith(text)) return out;
  }
  return assert.fail(`ended with ${out}`);
}

test('tail prints lines as another process appends them, and an interrupt gives exit code 0', async (t) => {
  const { data, append } = await world(t);
  await append(line('first'));
  const child = started(t, data, 'nod', '--from', '2026-02-20');
  assert.equal(await saw(child, line('first')), line('first'));
  await append(line('second'), fivePast + 60_000);
  await append(line('third'), fivePast + 60_000);
  assert.equal(await saw(child, line('third')), line('second') + line('third'));
  child.kill('SIGINT');
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0);
});

test('tail of an empty feed waits for its first line', async (t) => {
  const { data, append } = await world(t);
  const child = started(t, data, 'noh', '--from', '2026-02-20', '--lines', '1');
  await append(line('first'), fivePast, 'feed-noh');
  assert.equal(await saw(child, line('first')), line('first'));
});

test('without --from only new lines are printed', async (t) => {
  const { data, append } = await world(t);
  await append(line('old'));
  const child = started(t, data, 'nod', '--lines', '1');
  const ended = new AbortController();
  const closed = once(child, 'close').then(() => ended.abort());
  const shown = saw(child, '\n');
  // It starts at the end of the feed at an unknown moment, so lines are appended until it has printed one.
  while (!ended.signal.aborted) {
    await append(line('new'), fivePast + 60_000);
    await Promise.race([closed, setTimeout(100)]);
  }
  assert.equal(await shown, line('new'));
});

test('control characters are escaped on a terminal, and a pipe gets the lines unchanged', async (t) => {
  const { data, append } = await world(t);
  const hostile = '{"title":"\u009b31m \u202e \u007f"}\n';
  await append(hostile);
  assert.equal((await tail(data, 'nod', '--from', '2026-02-20', '--lines', '1')).out, hostile);
  const command = `'${process.execPath}' '${program}' tail nod --from 2026-02-20 --lines 1 --data '${data}'`;
  const script = spawn('script', ['--quiet', '--command', command, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let shown = '';
  for await (const chunk of script.stdout) shown += String(chunk);
  assert.equal(shown.trimEnd(), '{"title":"\\u{9b}31m \\u{202e} \\u{7f}"}');
});

test('tail of an unknown feed gives exit code 2 and lists the feeds', async (t) => {
  const data = temporaryDirectory(t);
  for (const name of ['nosuch', 'ch256']) {
    const { code, err } = await tail(data, name);
    assert.equal(code, 2, name);
    assert.match(err, /Expected nod, nad, .* or a channel such as ch212/);
  }
});

test('tail without a data directory gives exit code 1 and creates none', async (t) => {
  const data = join(temporaryDirectory(t), 'none');
  const { code, err } = await tail(data, 'nod');
  assert.equal(code, 1);
  assert.match(err, /there is no data of Nameglass/);
});

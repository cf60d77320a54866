/** A log that nobody reads holds up nothing. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { smallDisk } from '../../harness/small-disk.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { until } from './supervised-server.ts';

/** What a process does with its log when its standard error is as the test wants it. */
const program = (work: string) => `
const { createLog } = await import(process.argv[1]);
const log = createLog({ log: { level: 'info' }, role: 'supervisor' }, { now: () => 0 });
process.stdin.once('data', async () => { ${work} });`;

const log = new URL('../../../src/log.ts', import.meta.url).href;
const giveUpMs = 30_000;

const argsOf = (work: string) => ['--input-type=module', '-e', program(work), log];

function startProcess(t: TestContext, work: string) {
  const child = spawn(process.execPath, argsOf(work));
  t.after(() => child.kill('SIGKILL'));
  return child;
}

const end = async (child: ReturnType<typeof spawn>) =>
  (await once(child, 'exit', { signal: AbortSignal.timeout(giveUpMs) }))[0] as number | null;

test('what is still to be written to a pipe without a reader is given up', async (t) => {
  const child = startProcess(
    t,
    `log.relay.write('of another process\\n');
    await log.flush();
    log.relay.write('and one more\\n');
    await log.relay.drained();
    process.exit(7);`,
  );
  child.stderr.destroy();
  await once(child.stderr, 'close');
  child.stdin.write('go\n');
  assert.equal(await end(child), 7);
});

test('a process ends at once whose log lost its reader before the last lines', async (t) => {
  const child = startProcess(
    t,
    `log.logger.info('a'); log.relay.write('b\\n'); log.logger.info('c'); log.relay.write('d\\n'); process.exit(7);`,
  );
  child.stderr.destroy();
  await once(child.stderr, 'close');
  child.stdin.write('go\n');
  assert.equal(await end(child), 7);
});

test('what was logged right before a process ends is in the log', async (t) => {
  const child = startProcess(t, `log.logger.info('the last line'); process.exit(7);`);
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  child.stdin.write('go\n');
  const [code] = (await once(child, 'close')) as [number];
  assert.deepEqual([code, JSON.parse(text).msg], [7, 'the last line']);
});

const lineCount = 100_000;
/** More than a pipe holds, and more than waits in memory. */
const fill = `for (let line = 0; line < ${lineCount}; line += 1) log.logger.info({ line }, 'x'.repeat(200));`;

test('a process ends whose log is a pipe that nobody reads', async (t) => {
  const pipe = join(temporaryDirectory(t), 'log');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, 'r+');
  t.after(() => closeSync(reader));
  const args = argsOf(`${fill} setTimeout(() => process.exit(7), 200);`);
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', reader] });
  t.after(() => child.kill('SIGKILL'));
  child.stdin?.write('go\n');
  assert.equal(await end(child), 7);
});

test('lines that nobody read in time are left out, whole ones and counted, and the next ones are written', async (t) => {
  const work = `${fill}
    process.stdout.write('full\\n');
    process.stdin.once('data', async () => {
      await log.relay.drained();
      log.logger.info('the last line');
      await log.flush();
      process.exit(7);
    });`;
  const child = startProcess(t, work);
  child.stdin.write('go\n');
  await once(child.stdout, 'data');
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  child.stdin.write('go on\n');
  const [code] = (await once(child, 'close')) as [number];
  const messages = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  const left = Number(/^(\d+) lines of the log were left out/.exec(messages.at(-2) ?? '')?.[1]);
  assert.equal(code, 7);
  assert.equal(messages.at(-1), 'the last line');
  assert.ok(left > 0 && left < lineCount, `${left} left out`);
  assert.equal(messages.length, lineCount - left + 2);
});

test('a pipe that is read as fast as it is written loses nothing', async (t) => {
  const directory = temporaryDirectory(t);
  const [pipe, copy] = [join(directory, 'log'), join(directory, 'copy')];
  execFileSync('mkfifo', [pipe]);
  const reader = spawn('sh', ['-c', 'cat "$0" > "$1"', pipe, copy]);
  t.after(() => reader.kill('SIGKILL'));
  const writer = openSync(pipe, 'w');
  const work = `let line = 0;
    const more = () => {
      for (let count = 0; count < 50; count += 1) log.logger.info({ line: line++ }, 'x'.repeat(200));
      if (line < ${lineCount}) setTimeout(more, 1);
      else void log.flush().then(() => process.exit(7));
    };
    more();`;
  const child = spawn(process.execPath, argsOf(work), { stdio: ['pipe', 'pipe', writer] });
  t.after(() => child.kill('SIGKILL'));
  child.stdin?.write('go\n');
  assert.equal(await end(child), 7);
  closeSync(writer);
  await once(reader, 'close');
  const copied = readFileSync(copy, 'utf8');
  assert.doesNotMatch(copied, /left out/);
  assert.equal(copied.split('\n').length - 1, lineCount);
});

const logEachTime = `setInterval(() => log.logger.info('again'), 10); process.stdout.write('begun\\n');`;

test('a log in a file goes on when a full disk has room again', async (t) => {
  const disk = smallDisk(t, 1);
  if (disk === undefined) return;
  const [filler, file] = [join(disk, 'filler'), join(disk, 'log')];
  const descriptor = openSync(file, 'a');
  t.after(() => closeSync(descriptor));
  assert.throws(() => writeFileSync(filler, Buffer.alloc(2 << 20)), { code: 'ENOSPC' });
  const child = spawn(process.execPath, argsOf(logEachTime), { stdio: ['pipe', 'pipe', descriptor] });
  t.after(() => child.kill('SIGKILL'));
  child.stdin?.write('go\n');
  await once(child.stdout as Readable, 'data');
  await pause(600);
  assert.equal(readFileSync(file, 'utf8'), '');
  rmSync(filler);
  await until('lines', () => (readFileSync(file, 'utf8').includes('again') ? true : undefined));
});

test('a log in a named pipe goes on when it has a reader again, and says what is missing', async (t) => {
  const pipe = join(temporaryDirectory(t), 'log');
  execFileSync('mkfifo', [pipe]);
  const first = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, 'w');
  const child = spawn(process.execPath, argsOf(logEachTime), { stdio: ['pipe', 'pipe', writer] });
  t.after(() => child.kill('SIGKILL'));
  t.after(() => closeSync(writer));
  closeSync(first);
  child.stdin?.write('go\n');
  await once(child.stdout as Readable, 'data');
  await pause(600);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  t.after(() => closeSync(reader));
  let text = '';
  await until('lines', () => {
    text += readAvailable(reader);
    return text.endsWith('\n') ? true : undefined;
  });
  const lines = text.trimEnd().split('\n');
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  assert.equal(messages[0], 'again');
  assert.match(messages.join('\n'), /^\d+ lines of the log were left out/m);
});

function readAvailable(descriptor: number): string {
  const buffer = Buffer.alloc(65_536);
  try {
    return buffer.toString('utf8', 0, readSync(descriptor, buffer));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    return '';
  }
}

/** A log that nobody reads any more holds up nothing. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

const program = `
const { createLog } = await import(process.argv[1]);
const log = createLog({ log: { level: 'info' }, role: 'supervisor' }, { now: () => 0 });
process.stdin.once('data', async () => {
  log.relay.write('of another process\\n');
  await log.flush();
  log.relay.write('and one more\\n');
  await log.relay.drained();
  process.exit(7);
});`;

test('what is still to be written to a pipe without a reader is given up', async (t) => {
  const log = new URL('../../../src/log.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, log]);
  t.after(() => child.kill('SIGKILL'));
  child.stderr.destroy();
  await once(child.stderr, 'close');
  child.stdin.write('go\n');
  const [code] = (await once(child, 'exit', { signal: AbortSignal.timeout(30_000) })) as [number | null];
  assert.equal(code, 7);
});

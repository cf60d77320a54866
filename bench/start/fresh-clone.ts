/** `npm start` in a clone of the last commit, where nothing is installed or built. Needs the npm registry, or its cache. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BenchContext, Usage } from '../harness/benchmark.ts';
import { usageOf } from '../harness/usage.ts';

const root = join(import.meta.dirname, '../..');

export async function freshCloneSeconds({
  directory,
  after,
}: BenchContext): Promise<Usage & { readonly seconds: number }> {
  const clone = join(directory, 'clone');
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
  const child = spawn('npm', ['start', '--', '--port', '0', '--data', join(directory, 'clone-data')], {
    cwd: clone,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, which can be ended as a whole.
    detached: true,
  });
  const closed = once(child, 'close');
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await closed;
  };
  after(stop);
  const { value: _url, ...usage } = await usageOf(child.pid ?? 0, async () => {
    const url = await new Promise<string>((resolve, reject) => {
      let out = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text;
        const found = /ready at (\S+)/.exec(out)?.[1];
        if (found !== undefined) resolve(found);
      });
      void closed.then(() => reject(new Error('npm start ended before it was ready')));
    });
    await (await fetch(`${url}/healthz`)).text();
    return url;
  });
  await stop();
  return usage;
}

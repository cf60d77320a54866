/**
 * The Internet of the demonstration, as a process of its own beside the server: what it costs is not the server's cost, and the server
 * reaches it by sockets alone. `world/` tells what it is.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DemoWorld } from './cli/needs.ts';
import { Problem } from './model/problem.ts';

interface FirstLine {
  readonly settings: Readonly<Record<string, string>>;
  readonly brands: readonly string[];
  readonly ownDomains: readonly string[];
}

const file = join(import.meta.dirname, '../world/main.ts');
const domains = 1500;
const eventsPerHour = 720;
/** A visitor does not wait for a day until scores are full. */
const fullAfterSeconds = 60;

export async function startDemoWorld(nowMs: number): Promise<DemoWorld> {
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-world-'));
  const dnstapSocket = join(directory, 'dnstap.sock');
  const options = {
    // Another one each time: names that are known already would not be discovered again.
    seed: Math.floor(nowMs / 1000),
    domains,
    startMs: nowMs,
    speed: 1,
    eventsPerHour,
    hostile: true,
    directory,
    dnstapSocket,
  };
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Stopping the server stops it; the terminal's own signals are not for it.
    detached: true,
  });
  const { settings, brands, ownDomains } = await firstLine(child);

  return {
    settings: {
      ...settings,
      'dnstap.socket': dnstapSocket,
      'risk.fullAfterSeconds': String(fullAfterSeconds),
    },
    brands,
    ownDomains,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const closed = once(child, 'close');
        child.kill('SIGTERM');
        await closed;
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function firstLine(child: ChildProcess): Promise<FirstLine> {
  const ended = once(child, 'close').then(([code]) => {
    throw new Problem('unavailable', `the demonstration's world did not start (exit code ${code})`);
  });
  if (!child.stdout) throw new Error('the world has no output');
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  // What happens in it is for whoever wants to see it; here nobody does, and it must not wait for us.
  lines.on('line', () => undefined);
  ended.catch(() => undefined);
  return JSON.parse(line) as FirstLine;
}

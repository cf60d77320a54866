/**
 * Starts the simulated Internet of the demonstration (`world/`) as a child process, so that it does not share CPU time or memory with
 * the server; the server reaches it only through sockets.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Problem } from '../../model/problem.ts';
import type { DemoWorld } from '../needs.ts';

interface FirstLine {
  readonly settings: Readonly<Record<string, string>>;
  readonly brands: readonly string[];
  readonly ownDomains: readonly string[];
}

const file = join(import.meta.dirname, '../../../world/main.ts');
const domains = 1500;
const eventsPerHour = 720;
/** What it allocates lives briefly, and V8 would keep up to 96 MB for that. */
const smallHeap = ['--max-semi-space-size=2'];
/** The demonstration does not wait for a day until scores are full. */
const fullAfterSeconds = 60;

export async function startDemoWorld(nowMs: number): Promise<DemoWorld> {
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-world-'));
  const dnstapSocket = join(directory, 'dnstap.sock');
  const options = {
    // A new seed each time: names that are already known would not be discovered again.
    seed: Math.floor(nowMs / 1000),
    domains,
    startMs: nowMs,
    speed: 1,
    eventsPerHour,
    hostile: true,
    directory,
    dnstapSocket,
  };
  const child = spawn(process.execPath, [...smallHeap, file, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Its own process group: it stops with the server, not by the terminal's signals.
    detached: true,
  });
  const { settings, brands, ownDomains } = await firstLine(child);

  return {
    settings: {
      ...settings,
      'dnstap.socket': dnstapSocket,
      'risk.fullAfterSeconds': String(fullAfterSeconds),
      // So that dnsdbq and other public clients work at once; paths of our own stay as they are.
      'compat.profile': 'vendor',
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
    throw new Problem(
      'unavailable',
      `the simulated Internet of the demonstration did not start (exit code ${code})`,
    );
  });
  if (!child.stdout) throw new Error('the world has no output');
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  // Discard its event log, so that a full pipe does not block it.
  lines.on('line', () => undefined);
  ended.catch(() => undefined);
  return JSON.parse(line) as FirstLine;
}

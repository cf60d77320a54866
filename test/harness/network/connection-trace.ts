/** Traces every address that processes, their threads and their children connect to, as seen by the kernel. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { commandPath } from '../debian-package.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import type { TestScope } from '../test-scope.ts';

export interface TracedCall {
  readonly address: string;
  readonly port: number;
  /** In a network namespace without routes. */
  readonly isAlone: boolean;
  /** The system call as traced. */
  readonly line: string;
}

export interface ConnectionTrace {
  /** Ends the trace and returns all calls since it started. */
  stop(): Promise<readonly TracedCall[]>;
}

const calls = 'connect,sendto,sendmsg,sendmmsg,unshare,clone,clone3,fork,vfork';
const attached = /attached/;
const internetAddress =
  /sa_family=AF_INET6?, sin6?_port=htons\((\d+)\).*?(?:inet_addr\(|inet_pton\(AF_INET6, )"([^"]*)"/;
const ownNetwork = /^(\d+) .*unshare.*CLONE_NEWNET/;
/** The kernel's process id, followed by the one in the child's namespace where they differ. */
const newProcess = /^(\d+) .*(?:fork|clone3?)\b.* = (\d+)(?: \/\* (\d+) in strace's PID NS \*\/)?$/;

/** Undefined where tracing is not permitted. */
export async function traceConnections(
  scope: TestScope,
  pids: readonly number[],
): Promise<ConnectionTrace | undefined> {
  const file = join(temporaryDirectory(scope), 'calls');
  const args = ['-f', '-s', '0', '--decode-pids=pidns', '-e', `trace=${calls}`, '-o', file];
  args.push(...pids.flatMap((pid) => ['-p', `${pid}`]));
  const child = spawn(commandPath('strace') ?? 'strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  scope.after(() => child.kill('SIGKILL'));
  const isAttached = await Promise.race([
    ended.then(() => false),
    (async () => {
      let count = 0;
      for await (const line of createInterface(child.stderr)) {
        if (attached.test(line)) count += 1;
        if (count === pids.length) return true;
      }
      return false;
    })(),
  ]);
  child.stderr.resume();
  if (!isAttached) return undefined;
  return {
    stop: async () => {
      child.kill('SIGINT');
      await ended;
      return readCalls(file);
    },
  };
}

async function readCalls(file: string): Promise<readonly TracedCall[]> {
  const found: { readonly pid: string; readonly line: string; readonly match: RegExpExecArray }[] = [];
  const children = new Map<string, string[]>();
  const alone = new Set<string>();
  for await (const line of createInterface(createReadStream(file))) {
    const [, parent = '', inside = '', outside = inside] = newProcess.exec(line) ?? [];
    if (parent !== '') children.set(parent, [...(children.get(parent) ?? []), outside]);
    const [, separate] = ownNetwork.exec(line) ?? [];
    if (separate !== undefined) alone.add(separate);
    const match = internetAddress.exec(line);
    if (match) found.push({ pid: line.split(' ')[0] ?? '', line, match });
  }
  // Iterating over a Set includes members added meanwhile.
  for (const pid of alone) for (const child of children.get(pid) ?? []) alone.add(child);
  return found.map(({ pid, line, match: [, port, address = ''] }) => ({
    address,
    port: Number(port),
    isAlone: alone.has(pid),
    line,
  }));
}

/** Real software that must be given its port: started on a free one, and again on another where somebody else took it meanwhile. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { commandPath } from '../debian-package.ts';
import type { TestScope } from '../test-scope.ts';

const attemptsMax = 10;
const portTaken = /address already in use|EADDRINUSE|port \d+ is (?:in use|taken)/i;

export interface DaemonOptions {
  readonly command: string;
  /** Writes the configuration for the port, and returns the arguments. */
  readonly args: (port: number) => readonly string[];
  /** What it prints to standard error when it serves. */
  readonly started: string;
}

export interface Daemon {
  readonly port: number;
  readonly child: ChildProcess;
}

/** Runs until the test is over. */
export function startDaemon(
  scope: TestScope,
  options: DaemonOptions,
  choosePort = freePort,
): Promise<Daemon> {
  return onFreePort(async (port) => ({ port, child: await spawnDaemon(scope, options, port) }), choosePort);
}

/** `start` must reject with an error that has the software's message. */
export async function onFreePort<Started>(
  start: (port: number) => Promise<Started>,
  choosePort = freePort,
): Promise<Started> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await choosePort());
    } catch (error) {
      if (attempt === attemptsMax || !portTaken.test((error as Error).message)) throw error;
    }
  }
}

async function spawnDaemon(scope: TestScope, options: DaemonOptions, port: number): Promise<ChildProcess> {
  const { command, args, started } = options;
  const child = spawn(commandPath(command) ?? command, args(port), { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(child, 'close');
  scope.after(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      log += chunk;
      if (log.includes(started)) resolve();
    });
    void closed.then(() => reject(new Error(`${command} ended: ${log}`)));
  });
  return child;
}

/** Free for TCP and UDP on loopback, at this moment. */
export async function freePort(): Promise<number> {
  const tcp = createServer().listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const isFree = await isFreeForUdp(port);
  tcp.close();
  await once(tcp, 'close');
  return isFree ? port : freePort();
}

async function isFreeForUdp(port: number): Promise<boolean> {
  const udp = createSocket('udp4');
  try {
    udp.bind(port, '127.0.0.1');
    await once(udp, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    udp.close();
  }
}

/** ZooKeeper of Debian on a free port, in which replicas of ClickHouse agree on what each of them has. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { commandPath, needsPackage } from '../debian-package.ts';
import { onFreePort } from '../network/daemon.ts';
import { lastFirst, type TestScope } from '../test-scope.ts';

/** The package has no command in the usual directories. */
const script = '../share/zookeeper/bin/zkServer.sh';
const library = '/usr/share/java/zookeeper.jar';
const main = 'org.apache.zookeeper.server.quorum.QuorumPeerMain';
const startMs = 60_000;
/** Sessions may be as short as two of these, so that a replica that was killed is soon known to be away. */
const tickMs = 500;

export class ZooKeeperServer {
  readonly port: number;
  readonly #directory: string;
  #child: ChildProcess | undefined;

  constructor(directory: string, port: number) {
    this.#directory = directory;
    this.port = port;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const file = join(this.#directory, 'zoo.cfg');
    const settings = {
      tickTime: tickMs,
      dataDir: join(this.#directory, 'data'),
      clientPort: this.port,
      clientPortAddress: '127.0.0.1',
      'admin.enableServer': false,
      '4lw.commands.whitelist': 'ruok',
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(file, lines.join(''));
    const child = spawn(commandPath('java') ?? 'java', ['-Xmx128m', '-cp', library, main, file], {
      stdio: 'ignore',
    });
    this.#child = child;
    const untilMs = performance.now() + startMs;
    while (!(await isAnswering(this.port))) {
      if (child.exitCode !== null || performance.now() > untilMs)
        throw new Error(`ZooKeeper ended, perhaps since port ${this.port} is taken`);
      await pause(50);
    }
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }
}

async function isAnswering(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    socket.write('ruok');
    const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(1000) })) as [Buffer];
    return answer.toString() === 'imok';
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Runs until the test is over; undefined if the test is skipped. */
export async function startZooKeeper(t: TestContext | TestScope): Promise<ZooKeeperServer | undefined> {
  const context = { skip: () => undefined, ...t } as TestContext;
  if (!needsPackage(context, 'zookeeper', script) || !commandPath('java')) return undefined;
  lastFirst(t);
  const directory = mkdtempSync(join(process.env['TEST_STORES'] ?? tmpdir(), 'nameglass-zookeeper-'));
  let server: ZooKeeperServer | undefined;
  t.after(async () => {
    await server?.kill();
    rmSync(directory, { recursive: true, force: true });
  });
  server = await onFreePort(async (port) => {
    const started = new ZooKeeperServer(directory, port);
    await started.start();
    return started;
  });
  return server;
}

/** ClickHouse of Debian on a free port, for tests of passive DNS on several nodes. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { capabilitiesOf } from '../../../src/store/distributed/clickhouse/capabilities.ts';
import type { ClickHouseOptions } from '../../../src/store/distributed/clickhouse/clickhouse-client.ts';
import { tableStatements } from '../../../src/store/distributed/clickhouse/schema.ts';
import { migrateClickHouse } from '../../../src/store/distributed/rrset/open-clickhouse-rrsets.ts';
import { commandPath, needsPackage } from '../debian-package.ts';
import { onFreePort } from '../network/daemon.ts';
import { lastFirst, type TestScope } from '../test-scope.ts';

const command = 'clickhouse-server';
const startMs = 60_000;
const [attemptsMax, betweenAttemptsMs] = [5, 1000];

export class ClickHouseServer {
  readonly #directory: string;
  readonly #port: number;
  #child: ChildProcess | undefined;

  constructor(directory: string, port: number) {
    this.#directory = directory;
    this.#port = port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const child = spawn(
      commandPath(command) ?? command,
      [`--config-file=${join(this.#directory, 'config.xml')}`],
      { stdio: 'ignore', cwd: this.#directory },
    );
    this.#child = child;
    const untilMs = performance.now() + startMs;
    for (;;) {
      if (child.exitCode !== null || performance.now() > untilMs)
        throw new Error(`ClickHouse: ${this.log()}`);
      const isAnswering = await fetch(this.url).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isAnswering) return;
      await pause(20);
    }
  }

  /** The user `analyst` may only read. */
  async run(statement: string, as: 'default' | 'analyst' = 'default'): Promise<string> {
    const headers = { 'x-clickhouse-user': as };
    const answer = await fetch(this.url, { method: 'POST', body: statement, headers });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text.trimEnd();
  }

  /** At once, as a power failure would, but for what the kernel still writes. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }

  /** Nothing is left of a database here, and ZooKeeper does not know this replica any more. */
  async loseData(database: string): Promise<void> {
    await this.run(`drop database ${database}`);
  }

  log(): string {
    try {
      return readFileSync(join(this.#directory, 'error.log'), 'utf8').slice(-5000);
    } catch {
      return 'it has no log';
    }
  }
}

/** Elements of its configuration beside the usual ones. */
type MoreElements = () => Promise<string>;

/** Runs until the test is over; undefined if the test is skipped. */
export async function startClickHouse(
  t: TestContext | TestScope,
  more: MoreElements = async () => '',
): Promise<ClickHouseServer | undefined> {
  const context = { skip: () => undefined, ...t } as TestContext;
  if (!needsPackage(context, command, command)) return undefined;
  lastFirst(t);
  const directory = mkdtempSync(join(process.env['TEST_STORES'] ?? tmpdir(), 'nameglass-clickhouse-'));
  let server: ClickHouseServer | undefined;
  t.after(async () => {
    await server?.kill();
    rmSync(directory, { recursive: true, force: true });
  });
  server = await onFreePort(async (port) => {
    prepare(directory, port, await more());
    const started = new ClickHouseServer(directory, port);
    await started.start();
    return started;
  });
  return server;
}

function prepare(directory: string, port: number, more: string): void {
  for (const name of ['data', 'tmp', 'schemas']) mkdirSync(join(directory, name), { recursive: true });
  writeFileSync(join(directory, 'config.xml'), configuration(directory, port, more));
  writeFileSync(join(directory, 'users.xml'), users);
}

function configuration(directory: string, port: number, more: string): string {
  const settings = {
    http_port: port,
    listen_host: '127.0.0.1',
    max_concurrent_queries: 100,
    mark_cache_size: 67_108_864,
    path: `${join(directory, 'data')}/`,
    tmp_path: `${join(directory, 'tmp')}/`,
    format_schema_path: `${join(directory, 'schemas')}/`,
    users_config: 'users.xml',
    default_profile: 'default',
    default_database: 'default',
  };
  const logs = ['<level>warning</level>', log(directory, 'log'), log(directory, 'errorlog')];
  const elements = Object.entries(settings).map(([name, value]) => `<${name}>${value}</${name}>`);
  return `<yandex><logger>${logs.join('')}</logger>${elements.join('')}${more}</yandex>`;
}

function log(directory: string, name: 'log' | 'errorlog'): string {
  const file = name === 'log' ? 'server.log' : 'error.log';
  return `<${name}>${join(directory, file)}</${name}>`;
}

/** Anybody on loopback, without a password. An analyst may only read. */
const user = (name: string, profile: string) =>
  `<${name}><password></password><networks><ip>127.0.0.1</ip></networks><profile>${profile}</profile><quota>default</quota></${name}>`;
const profiles = '<profiles><default/><reader><readonly>1</readonly></reader></profiles>';
const users = `<yandex>${profiles}<quotas><default/></quotas><users>${user('default', 'default')}${user('analyst', 'reader')}</users></yandex>`;

let databases = 0;

/** Options of a client of a database with all tables, for one test. Synchronous, as tests open stores. */
export function newClickHouseDatabase(server: ClickHouseServer, version: string): ClickHouseOptions {
  return newDatabaseOn([server], version, '');
}

/** On servers that are replicas of one shard, where a cluster is given. */
export function newDatabaseOn(
  servers: readonly ClickHouseServer[],
  version: string,
  cluster: string,
): ClickHouseOptions {
  databases += 1;
  const database = `test_${process.pid}_${databases}`;
  const capabilities = capabilitiesOf(version);
  const urls = servers.map(({ url }) => url);
  for (const url of urls) {
    runSync(url, `create database ${database}`);
    for (const statement of tableStatements(database, { capabilities, cluster }))
      runRepeatable(`${url}/?database=${database}`, statement);
  }
  return { urls, database, user: 'default', password: '', allowOld: true, isReplicated: cluster !== '' };
}

/** Tables of a test server, until it is over. */
export async function newTestTables(
  scope: TestScope,
  settings: Parameters<typeof migrateClickHouse>[0],
): Promise<void> {
  await migrateClickHouse(settings);
  const [url = ''] = settings.urls;
  scope.after(async () => {
    const answer = await fetch(url, { method: 'POST', body: `drop database ${settings.database}` });
    if (!answer.ok) throw new Error(await answer.text());
  });
}

/** A replica may have lost its session with ZooKeeper, and have it again a moment later. */
function runRepeatable(url: string, statement: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return runSync(url, statement);
    } catch (error) {
      if (attempt === attemptsMax) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, betweenAttemptsMs);
    }
  }
}

function runSync(url: string, statement: string): void {
  execFileSync('curl', ['-sS', '--fail', '--data-binary', '@-', url], { input: statement, stdio: 'pipe' });
}

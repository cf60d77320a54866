/**
 * PostgreSQL of Debian on a free port, for tests of the distributed stores. A cluster takes seconds to make, so it is made once and copied. Data
 * is not synced unless a test is about crashes.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { DatabaseOptions } from '../../../src/store/distributed/postgres/database.ts';
import { migrationsOf, type SchemaPart } from '../../../src/store/distributed/postgres/migrations.ts';
import { needsPackage } from '../debian-package.ts';
import { onFreePort } from '../network/daemon.ts';
import { lastFirst, type TestScope } from '../test-scope.ts';

const bin = '/usr/lib/postgresql/15/bin';
const template = join(tmpdir(), 'nameglass-postgres-15-template');

export interface PostgresOptions {
  /** Survives a kill of the machine; slower. */
  readonly durable?: boolean;
  /** More lines of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
}

export class PostgresServer {
  readonly directory: string;
  readonly port: number;
  readonly #settings: readonly string[];
  #child: ChildProcess | undefined;

  constructor(directory: string, port: number, { durable = false, settings = {} }: PostgresOptions) {
    this.directory = directory;
    this.port = port;
    const all = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      max_connections: '200',
      shared_buffers: '64MB',
      // In its directory, and removed with it when it is killed.
      dynamic_shared_memory_type: 'mmap',
      jit: 'off',
      ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
      ...settings,
    };
    this.#settings = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const args = ['-u', 'postgres', '--', join(bin, 'postgres'), '-D', this.directory, ...this.#settings];
    const child = spawn('runuser', args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    this.#child = child;
    let log = '';
    child.stderr.on('data', (chunk) => {
      log = `${log}${chunk}`.slice(-20_000);
    });
    for (;;) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended: ${log}`);
      try {
        await this.run('select 1');
        return;
      } catch {
        await pause(50);
      }
    }
  }

  async run(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 2000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(statement)).rows as Readonly<Record<string, unknown>>[];
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** All of its processes, at once, as a power failure would. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    const backends = spawnSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' }).stdout.split('\n');
    for (const pid of [child.pid, ...backends.filter(Boolean).map(Number)]) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has just ended by itself.
      }
    }
    await closed;
    rmSync(join(this.directory, 'postmaster.pid'), { force: true });
    this.#child = undefined;
  }
}

/** A replica that follows the server, which from now on acknowledges a commit only when the replica has it. */
export async function startReplica(t: TestScope, primary: PostgresServer): Promise<PostgresServer> {
  const parent = mkdtempSync(join(process.env['TEST_STORES'] ?? tmpdir(), 'nameglass-replica-'));
  execFileSync('chown', ['postgres', parent]);
  const directory = join(parent, 'data');
  const base = ['-d', primary.url, '-D', directory, '-R', '-c', 'fast', '--no-sync'];
  execFileSync('runuser', ['-u', 'postgres', '--', join(bin, 'pg_basebackup'), ...base], { stdio: 'ignore' });
  const replica = await onFreePort(async (port) => {
    const started = new PostgresServer(directory, port, {});
    await started.start();
    return started;
  });
  t.after(async () => {
    await replica.kill();
    rmSync(parent, { recursive: true, force: true });
  });
  await primary.run("alter system set synchronous_standby_names = '*'");
  await primary.run('select pg_reload_conf()');
  for (;;) {
    const [row] = await primary.run('select sync_state from pg_stat_replication');
    if (row?.['sync_state'] === 'sync') return replica;
    await pause(50);
  }
}

/** Runs until the test is over; undefined if the test is skipped. */
export async function startPostgres(
  t: TestContext | TestScope,
  options: PostgresOptions = {},
): Promise<PostgresServer | undefined> {
  if (!hasPostgres(t)) return undefined;
  lastFirst(t);
  makeTemplate();
  const parent = mkdtempSync(join(process.env['TEST_STORES'] ?? tmpdir(), 'nameglass-postgres-'));
  const directory = join(parent, 'data');
  execFileSync('cp', ['-a', template, directory]);
  chmodSync(parent, 0o755);
  const server = await onFreePort(async (port) => {
    const started = new PostgresServer(directory, port, options);
    await started.start();
    return started;
  });
  t.after(async () => {
    await server.kill();
    rmSync(parent, { recursive: true, force: true });
  });
  return server;
}

function hasPostgres(t: TestContext | TestScope): boolean {
  if (existsSync(bin)) return true;
  const context = { skip: () => undefined, ...t } as TestContext;
  return needsPackage(context, 'postgresql-15', 'pg_ctlcluster') && existsSync(bin);
}

/** Made beside it and then renamed, since several test processes may want it at once. */
function makeTemplate(): void {
  if (existsSync(template)) return;
  const parent = mkdtempSync(join(tmpdir(), 'nameglass-postgres-template-'));
  mkdirSync(join(parent, 'data'));
  execFileSync('chown', ['-R', 'postgres', parent]);
  const args = ['-D', join(parent, 'data'), '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  execFileSync('runuser', ['-u', 'postgres', '--', join(bin, 'initdb'), ...args], { stdio: 'ignore' });
  try {
    renameSync(join(parent, 'data'), template);
  } catch {
    // Another process was first.
  }
  rmSync(parent, { recursive: true, force: true });
}

let schemas = 0;

/** Options of a database with these tables, in a schema of its own: each test has its data for itself. Synchronous, as tests open stores. */
export function newSchema(server: PostgresServer, parts: readonly SchemaPart[]): DatabaseOptions {
  schemas += 1;
  const schema = `test_${process.pid}_${schemas}`;
  const files = migrationsOf(['core', ...parts]).map(({ path }) => readFileSync(path, 'utf8'));
  const input = [`create schema ${schema};`, `set search_path = ${schema}, public;`, ...files].join('\n');
  execFileSync('psql', ['-X', '-q', '-1', '-v', 'ON_ERROR_STOP=1', server.url], {
    input,
    env: { ...process.env, PGOPTIONS: '--client-min-messages=warning' },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  return { url: server.url, schema, poolMax: 4 };
}

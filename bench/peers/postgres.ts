/** PostgreSQL 15 of Debian in a directory of its own, or in one where it was before: the peer of searches over records, and the engine of distributed stores. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { MissingSoftware } from '../harness/benchmark.ts';

const bin = '/usr/lib/postgresql/15/bin';

export class Postgres {
  readonly #data: string;
  readonly #socket: string;
  readonly #port: number;
  #client: Promise<Client> | undefined;
  readonly #names = new Map<string, string>();
  #isStopped = false;

  /** Where it is given a port, it listens on it at 127.0.0.1. */
  constructor(directory: string, port?: number) {
    this.#port = port ?? 5432;
    if (!existsSync(bin)) {
      const apt = ['install', '-y', '--no-install-recommends', 'postgresql-15'];
      spawnSync('apt-get', apt, {
        stdio: 'ignore',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    }
    if (!existsSync(bin)) throw new MissingSoftware('no PostgreSQL 15 (apt-get install postgresql-15)');
    mkdirSync(directory, { recursive: true });
    chmodSync(directory, 0o755);
    this.#socket = join(directory, 'postgres');
    this.#data = join(this.#socket, 'data');
    if (!existsSync(this.#data)) {
      mkdirSync(this.#socket);
      as('chown', ['postgres', this.#socket], 'root');
      as(join(bin, 'initdb'), ['-D', this.#data, '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8']);
    }
    const settings = [
      `listen_addresses=${port === undefined ? '' : '127.0.0.1'}`,
      `port=${this.#port}`,
      `unix_socket_directories=${this.#socket}`,
      'shared_buffers=2GB',
      'work_mem=64MB',
      'maintenance_work_mem=1GB',
      'effective_cache_size=8GB',
      'max_wal_size=8GB',
      'jit=off',
    ];
    const options = settings.map((setting) => `-c ${setting}`).join(' ');
    as(join(bin, 'pg_ctl'), [
      '-D',
      this.#data,
      '-w',
      '-o',
      options,
      '-l',
      join(this.#socket, 'log'),
      'start',
    ]);
  }

  #arguments(): string[] {
    const server = ['-h', this.#socket, '-p', String(this.#port), '-U', 'postgres'];
    return ['-X', '-q', '-A', '-t', ...server, '-v', 'ON_ERROR_STOP=1'];
  }

  /** Of the process that started all others. */
  get pid(): number {
    return Number.parseInt(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8'), 10);
  }

  /** Runs statements to the end; gives seconds. */
  run(sql: string): number {
    const began = performance.now();
    const done = spawnSync('psql', this.#arguments(), { input: sql, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (done.status !== 0) throw new Error(`psql: ${done.stderr}`);
    return (performance.now() - began) / 1000;
  }

  /** The rows of one question, asked as a program would: over a connection that stays open, with statements prepared once. */
  async ask(sql: string, values: readonly string[]): Promise<readonly object[]> {
    this.#client ??= this.#connect();
    const client = await this.#client;
    const name = this.#names.get(sql) ?? `statement ${this.#names.size}`;
    this.#names.set(sql, name);
    return (await client.query({ name, text: sql, values: [...values] })).rows;
  }

  async #connect(): Promise<Client> {
    const client = new Client({ host: this.#socket, port: this.#port, user: 'postgres' });
    await client.connect();
    return client;
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    await (await this.#client)?.end();
    as(join(bin, 'pg_ctl'), ['-D', this.#data, '-m', 'fast', '-w', '-t', '600', 'stop']);
  }
}

function as(command: string, args: readonly string[], user = 'postgres'): void {
  const full = user === 'root' ? [command, ...args] : ['runuser', '-u', user, '--', command, ...args];
  const [program = '', ...rest] = full;
  const done = spawnSync(program, rest, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (done.status !== 0) throw new Error(`${command}: ${done.stderr}`);
}

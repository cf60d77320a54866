/** PostgreSQL 15 of Debian in a directory of its own: the peer of searches over records. Questions go through one `psql`. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const bin = '/usr/lib/postgresql/15/bin';

export class Postgres {
  readonly #data: string;
  readonly #socket: string;
  #session: ChildProcessWithoutNullStreams | undefined;

  constructor(directory: string) {
    if (!existsSync(bin)) {
      const apt = ['install', '-y', '--no-install-recommends', 'postgresql-15'];
      spawnSync('apt-get', apt, {
        stdio: 'ignore',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    }
    if (!existsSync(bin)) throw new Error('PostgreSQL is not there: apt-get install postgresql-15');
    chmodSync(directory, 0o755);
    this.#socket = join(directory, 'postgres');
    this.#data = join(this.#socket, 'data');
    mkdirSync(this.#socket);
    as('chown', ['postgres', this.#socket], 'root');
    as(join(bin, 'initdb'), ['-D', this.#data, '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8']);
    const settings = [
      'listen_addresses=',
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
    return ['-X', '-q', '-A', '-t', '-h', this.#socket, '-U', 'postgres', '-v', 'ON_ERROR_STOP=1'];
  }

  /** Runs statements to the end; gives seconds. */
  run(sql: string): number {
    const began = performance.now();
    const done = spawnSync('psql', this.#arguments(), { input: sql, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (done.status !== 0) throw new Error(`psql: ${done.stderr}`);
    return (performance.now() - began) / 1000;
  }

  /** The answer to one question in a session that stays open, and its milliseconds as psql measures them. */
  async ask(sql: string): Promise<{ rows: string[]; ms: number }> {
    this.#session ??= spawn('psql', [...this.#arguments(), '-c', '\\timing on', '-f', '-'], {
      stdio: 'pipe',
    });
    const { stdin, stdout, stderr } = this.#session;
    return new Promise((resolve, reject) => {
      let text = '';
      const fail = (chunk: Buffer) => reject(new Error(String(chunk)));
      const take = (chunk: Buffer) => {
        text += chunk;
        const time = /(?:^|\n)Time: ([\d.]+) ms[^\n]*\n$/.exec(text);
        if (!time) return;
        stdout.off('data', take);
        stderr.off('data', fail);
        const rows = text
          .slice(0, time.index)
          .split('\n')
          .filter((row) => row !== '' && !row.startsWith('Timing is'));
        resolve({ rows, ms: Number(time[1]) });
      };
      stdout.on('data', take);
      stderr.once('data', fail);
      stdin.write(`${sql};\n`);
    });
  }

  stop(): void {
    this.#session?.kill();
    as(join(bin, 'pg_ctl'), ['-D', this.#data, '-m', 'immediate', 'stop']);
  }
}

function as(command: string, args: readonly string[], user = 'postgres'): void {
  const full = user === 'root' ? [command, ...args] : ['runuser', '-u', user, '--', command, ...args];
  const [program = '', ...rest] = full;
  const done = spawnSync(program, rest, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (done.status !== 0) throw new Error(`${command}: ${done.stderr}`);
}

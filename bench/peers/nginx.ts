/** nginx of Debian, serving one directory as static files: the peer of downloads. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hasPackage } from '../../test/harness/debian-package.ts';
import { MissingSoftware } from '../harness/benchmark.ts';

const program = '/usr/sbin/nginx';
const attemptsMax = 5;

export async function startNginx(
  directory: string,
  files: string,
): Promise<{ url: string; child: ChildProcess }> {
  if (!hasPackage('nginx-light', 'nginx'))
    throw new MissingSoftware('no nginx (apt-get install nginx-light)');
  const work = join(directory, 'nginx');
  mkdirSync(work);
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const started = await startOn(await freePort(), work, files);
    if (started) return started;
  }
  throw new Error('nginx does not start');
}

/** Undefined where nginx ended, because somebody else has taken the port meanwhile. */
async function startOn(
  port: number,
  work: string,
  files: string,
): Promise<{ url: string; child: ChildProcess } | undefined> {
  const configuration = join(work, 'nginx.conf');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    configuration,
    `daemon off; user root; worker_processes 1; pid ${work}/pid; error_log ${work}/error.log;
events { worker_connections 1024; }
http { access_log off; sendfile on; tcp_nopush on;
${paths.map((path) => `${path}_temp_path ${work}/${path};`).join('\n')}
server { listen 127.0.0.1:${port}; root ${files}; } }
`,
  );
  const child = spawn(program, ['-c', configuration], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  for (let waits = 0; waits < 100; waits += 1) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    // nginx tries to bind for two seconds, while the other program may answer.
    if (answers && existsSync(join(work, 'pid')) && child.exitCode === null) return { url, child };
    if (child.exitCode !== null) return undefined;
    await pause(50);
  }
  throw new Error('nginx does not answer');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

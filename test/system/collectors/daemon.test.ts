import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { needsPackage } from '../../harness/debian-package.ts';
import { onFreePort, startDaemon } from '../../harness/network/daemon.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

/** Generous, because it may include an installation. */
const options = { timeout: 900_000 };

async function takenPort(t: TestContext, kind: 'tcp' | 'udp'): Promise<number> {
  const holder = kind === 'tcp' ? createServer().listen(0, '127.0.0.1') : createSocket('udp4');
  if ('bind' in holder) holder.bind(0, '127.0.0.1');
  await once(holder, 'listening');
  t.after(() => holder.close());
  return (holder.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const unboundConfig = (port: number) => `
  server:
    interface: 127.0.0.1@${port}
    use-syslog: no
    logfile: ""
    username: ""
    chroot: ""
    directory: ""
    pidfile: ""
    module-config: "iterator"
  remote-control:
    control-enable: no
`;

for (const kind of ['tcp', 'udp'] as const) {
  test(
    `unbound that lost its ${kind} port to somebody else is started again on another`,
    options,
    async (t) => {
      if (!needsPackage(t, 'unbound', 'unbound')) return;
      const file = join(temporaryDirectory(t), 'unbound.conf');
      const tried: number[] = [];
      const taken = await takenPort(t, kind);
      const { port } = await startDaemon(
        t,
        {
          command: 'unbound',
          args: (chosen) => {
            tried.push(chosen);
            writeFileSync(file, unboundConfig(chosen));
            return ['-d', '-c', file];
          },
          started: 'start of service',
        },
        async () => (tried.length === 0 ? taken : freePort()),
      );
      assert.equal(tried[0], taken);
      assert.deepEqual([tried.length, port], [2, tried[1]]);
    },
  );
}

test('software that fails for another reason is not started again', async () => {
  let starts = 0;
  const failing = onFreePort(async () => {
    starts += 1;
    throw new Error('unbound ended: syntax error');
  });
  await assert.rejects(failing, /syntax error/);
  assert.equal(starts, 1);
});

/** A network namespace with a loopback interface and no route to anywhere else. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import type { TestScope } from '../test-scope.ts';

/** Puts a command into the namespace. */
export type ClosedNetwork = (command: readonly string[]) => readonly [string, ...string[]];

/** Whether a namespace can be made. Where it cannot, the test is skipped, except on CI, where it fails. */
export function needsClosedNetwork(t: TestContext): boolean {
  const { status } = spawnSync('unshare', ['--net', '--', 'ip', 'link', 'set', 'lo', 'up']);
  if (status === 0) return true;
  const reason = 'a network namespace cannot be made: it needs root, util-linux and iproute2';
  if (process.env['CI']) throw new Error(reason);
  t.skip(`skipped: ${reason}`);
  return false;
}

interface ClosedNetworkOptions {
  /** Every address is one of this machine: a client there may come from any. */
  readonly everyAddress?: true;
}

/** Lasts until the test is over. */
export async function startClosedNetwork(
  scope: TestScope,
  { everyAddress }: ClosedNetworkOptions = {},
): Promise<ClosedNetwork> {
  const routes = everyAddress
    ? 'ip route add local 0.0.0.0/0 dev lo && ip -6 route add local ::/0 dev lo && echo 1 > /proc/sys/net/ipv6/ip_nonlocal_bind &&'
    : '';
  const script = `ip link set lo up && ${routes} echo up && exec sleep infinity`;
  const holder = spawn('unshare', ['--net', '--', 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  scope.after(() => holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  return (command) => ['nsenter', `--net=/proc/${holder.pid}/ns/net`, '--', ...command];
}

/** Cuts a node off from its engines: the kernel drops every packet from and to the address by which it reaches them, and nobody is informed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { needsPackage } from '../debian-package.ts';
import type { TestScope } from '../test-scope.ts';

export interface Partition {
  cut(): void;
  heal(): void;
}

/** Undefined, with the test skipped, where packets may not be filtered. */
export function partitionOf(t: TestContext, address: string): Partition | undefined {
  if (!needsPackage(t, 'nftables', 'nft')) return undefined;
  const table = `inet nameglass_test_${process.pid}`;
  const heal = () => void spawnSync('nft', ['delete', 'table', ...table.split(' ')], { stdio: 'ignore' });
  const cut = () => {
    const rules = [
      'type filter hook output priority 0',
      `ip daddr ${address} drop`,
      `ip saddr ${address} drop`,
    ];
    const input = `table ${table} {\nchain packets {\n${rules.join('\n')}\n}\n}\n`;
    execFileSync('nft', ['-f', '-'], { input });
  };
  try {
    cut();
  } catch (error) {
    if (process.env['CI']) throw error;
    t.skip(`skipped: packets cannot be filtered here: ${(error as Error).message}`);
    return undefined;
  } finally {
    heal();
  }
  t.after(heal);
  return { cut, heal };
}

/** Listens at an address for a server that has another one. Returns its URL. */
export async function startForwarder(scope: TestScope, address: string, server: URL): Promise<string> {
  const sockets = new Set<Socket>();
  const forwarder = createServer((socket) => {
    const onward = connect(Number(server.port), server.hostname);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => sockets.delete(one) && other.destroy());
      one.pipe(other);
    }
  }).listen(0, address);
  await once(forwarder, 'listening');
  scope.after(() => {
    for (const socket of sockets) socket.destroy();
    forwarder.close();
  });
  return `http://${address}:${(forwarder.address() as AddressInfo).port}`;
}

/**
 * Runs a command in a network namespace of its own: `network-namespace.ts <socket> <port> <uid> <gid> <command …>`. The only way
 * out is a loopback port whose connections are forwarded to a Unix socket. Started as root by `unshare --net`; drops to the given
 * user after the spawn. The command drops its own privileges.
 */
import { spawn } from 'node:child_process';
import { connect, createServer, type Socket } from 'node:net';

const [, , path = '', port, uid, gid, command = '', ...args] = process.argv;

const server = createServer((client) => {
  const upstream = connect(path);
  join(client, upstream);
  join(upstream, client);
});
server.listen(Number(port), '127.0.0.1', () => {
  // Five descriptors: a browser is controlled over pipes 3 and 4.
  const child = spawn(command, args, { stdio: ['inherit', 'inherit', 'inherit', 'inherit', 'inherit'] });
  child.once('exit', (code) => process.exit(code ?? 1));
  child.once('error', () => process.exit(1));
  process.setgroups?.([]);
  process.setgid?.(Number(gid));
  process.setuid?.(Number(uid));
});

function join(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroy());
}

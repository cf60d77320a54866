/**
 * Runs a command in a network that nobody else is in: `lone-network.ts <socket> <port> <uid> <gid> <command …>`. All that leads out
 * of there is a port, and whatever connects to it is handed to a socket in the file system. Started by `unshare --net`, as root, which
 * it stays no longer than it must; the command is to become somebody else by itself.
 */
import { spawn } from 'node:child_process';
import { connect, createServer, type Socket } from 'node:net';

const [, , path = '', port, uid, gid, command = '', ...args] = process.argv;

const server = createServer((client) => {
  const way = connect(path);
  join(client, way);
  join(way, client);
});
server.listen(Number(port), '127.0.0.1', () => {
  // With the pipes by which a browser is told what to do.
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

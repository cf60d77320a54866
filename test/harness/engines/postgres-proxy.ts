/** Stands before PostgreSQL, so that a test can lose the answer to a commit: the transaction is committed, and nobody knows. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export interface PostgresProxy {
  readonly url: string;
  /** The next transaction with a statement that contains this text is committed without an answer; the server is away from then on. */
  loseCommitWith(text: string): void;
  comeBack(): void;
}

export async function startPostgresProxy(t: TestContext, target: string): Promise<PostgresProxy> {
  const sockets = new Set<Socket>();
  let [lost, isAway] = ['', false];
  const endAll = () => {
    isAway = true;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (isAway) return void client.destroy();
    const upstream = connect(Number(new URL(target).port), '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    let isLost = false;
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      if (lost !== '' && text.includes(lost)) isLost = true;
      if (isLost && text.includes('commit\0')) {
        lost = '';
        upstream.removeAllListeners('data');
        upstream.on('data', endAll);
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => client.write(bytes));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    endAll();
    server.close();
  });
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    loseCommitWith: (text) => {
      lost = text;
    },
    comeBack: () => {
      isAway = false;
    },
  };
}

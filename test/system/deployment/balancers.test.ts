/** The balancers of `deploy/`: how they spread requests over nodes, and what they do when one fails. The nodes fail on request. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { needsPackage } from '../../harness/debian-package.ts';
import { startDaemon } from '../../harness/network/daemon.ts';
import { tlsCertificate } from '../../harness/network/tls-certificate.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { type Balancer, haproxyBalancer, nginxBalancer } from './balancers.ts';

interface FailingNode {
  readonly port: number;
  readonly server: Server;
  isReady: boolean;
}

interface Cluster {
  readonly first: FailingNode;
  readonly second: FailingNode;
  /** Requests for `/v1/break` so far, of both nodes. */
  readonly breaks: () => number;
  readonly ask: (
    path: string,
    method?: string,
  ) => Promise<{ readonly status: number | undefined; readonly text: string }>;
}

async function startCluster(t: TestContext, balancer: Balancer): Promise<Cluster | undefined> {
  if (!needsPackage(t, balancer.debianPackage, balancer.command)) return undefined;
  let breaks = 0;
  const answer = (node: FailingNode, name: string, { url }: IncomingMessage, response: ServerResponse) => {
    if (url === '/readyz') response.writeHead(node.isReady ? 200 : 503).end();
    else if (url?.startsWith('/v1/break') && (breaks += 1) % 2 === 1) response.destroy();
    else response.end(name);
  };
  const startNode = async (name: string): Promise<FailingNode> => {
    const server = createServer((sent, response) => answer(node, name, sent, response));
    t.after(() => server.closeAllConnections());
    t.after(() => server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const node = { server, port: (server.address() as AddressInfo).port, isReady: true };
    return node;
  };
  const [first, second] = [await startNode('first'), await startNode('second')];
  const directory = temporaryDirectory(t);
  const { key, cert } = await tlsCertificate('localhost');
  writeFileSync(join(directory, 'key.pem'), key);
  writeFileSync(join(directory, 'cert.pem'), cert);
  const { command, started, balance } = balancer;
  const args = (port: number) => balance({ directory, port }, [first.port, second.port]);
  const { port } = await startDaemon(t, { command, started, args });
  return {
    first,
    second,
    breaks: () => breaks,
    ask: async (path, method = 'GET') => {
      const sent = request({ host: 'localhost', port, path, method, ca: cert, agent: false });
      sent.end(method === 'POST' ? '{}' : undefined);
      const [got] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: got.statusCode, text: await text(got) };
    },
  };
}

/** Who answered. */
async function answers({ ask }: Cluster, count: number, path = '/v1/account/'): Promise<readonly string[]> {
  const who: string[] = [];
  for (let index = 0; index < count; index += 1) who.push((await ask(path)).text);
  return who;
}

for (const balancer of [nginxBalancer, haproxyBalancer]) {
  const balanced = (title: string, work: (cluster: Cluster) => Promise<void>) =>
    void test(`${balancer.name}: ${title}`, { timeout: 60_000 }, async (t) => {
      const cluster = await startCluster(t, balancer);
      if (cluster) await work(cluster);
    });

  balanced('requests go to both nodes, those for passive DNS too', async (cluster) => {
    assert.deepEqual(new Set(await answers(cluster, 10)), new Set(['first', 'second']));
    for (const path of ['/pdns/v2/ping', '/lookup/rrset/name/a.example', '/summarize/rrset/name/a.example'])
      assert.deepEqual(new Set(await answers(cluster, 10, path)), new Set(['first', 'second']), path);
  });

  balanced('a node that is gone costs no request', async (cluster) => {
    cluster.second.server.close();
    cluster.second.server.closeAllConnections();
    assert.deepEqual(new Set(await answers(cluster, 20)), new Set(['first']));
  });

  balanced('a read whose node breaks off is answered by the other one', async (cluster) => {
    assert.equal((await cluster.ask('/v1/break')).status, 200);
    assert.equal(cluster.breaks(), 2);
  });

  balanced('a write whose node breaks off is not sent twice', async (cluster) => {
    assert.equal((await cluster.ask('/v1/break', 'POST')).status, 502);
    assert.equal(cluster.breaks(), 1);
  });

  if (balancer.knowsSignatures)
    balanced('a signed read whose node breaks off is not sent twice', async (cluster) => {
      assert.equal((await cluster.ask('/v1/break?signature=0&timestamp=0')).status, 502);
      assert.equal(cluster.breaks(), 1);
    });

  if (balancer.checksHealth)
    balanced('a node that is not ready gets no requests until it is', async (cluster) => {
      const until = async (wanted: (who: ReadonlySet<string>) => boolean) => {
        while (!wanted(new Set(await answers(cluster, 10))));
      };
      cluster.second.isReady = false;
      await until((who) => !who.has('second'));
      cluster.second.isReady = true;
      await until((who) => who.has('second'));
    });
}

/** Remote commands and the certificate of the server: one sentence each for what is wrong, and no request is sent. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { type TlsCertificate, tlsCertificate } from '../../../harness/network/tls-certificate.ts';
import { temporaryDirectory } from '../../../harness/temporary-directory.ts';
import { remoteFixture } from './remote-fixture.ts';

const remote = await remoteFixture({ after });

interface TlsServer {
  readonly url: string;
  /** The file of its certificate, which is its own authority. */
  readonly authority: string;
  readonly requests: () => number;
}

/** Passes requests on to the server. */
async function tlsServer(t: TestContext, { key, cert }: TlsCertificate): Promise<TlsServer> {
  let requests = 0;
  const front = createServer({ key, cert }, (received, response) => {
    requests += 1;
    const { method, headers, url } = received;
    const passed = request(remote.url + url, { method: method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    received.pipe(passed);
  }).listen(0, '127.0.0.1');
  t.after(() => front.close());
  await once(front, 'listening');
  const authority = join(temporaryDirectory(t), 'authority.pem');
  writeFileSync(authority, cert);
  const url = `https://localhost:${(front.address() as AddressInfo).port}`;
  return { url, authority, requests: () => requests };
}

const whoami = (url: string, authority?: string) =>
  remote.pipe(['whoami', '--server', url], {
    env: authority === undefined ? {} : { NODE_EXTRA_CA_CERTS: authority },
  });

test('a certificate of an unknown authority is refused, and the sentence says how to trust it', async (t) => {
  const { url, authority, requests } = await tlsServer(t, await tlsCertificate('localhost'));
  const { code, out, err } = await whoami(url);
  assert.deepEqual([code, out, requests()], [1, '', 0]);
  assert.match(
    err,
    /^nameglass: The TLS certificate of localhost:\d+ is not from a known authority\. .*NODE_EXTRA_CA_CERTS.*\n$/,
  );
  const trusted = await whoami(url, authority);
  assert.deepEqual([trusted.code, trusted.err, requests()], [0, '', 1]);
  assert.match(trusted.out, new RegExp(remote.user.username));
});

test('a certificate for another name is refused', async (t) => {
  const { url, authority, requests } = await tlsServer(t, await tlsCertificate('other.example'));
  const { code, out, err } = await whoami(url, authority);
  assert.deepEqual([code, out, requests()], [1, '', 0]);
  assert.match(err, /^nameglass: The TLS certificate is not for localhost:\d+\.\n$/);
});

test('a certificate that has expired is refused', async (t) => {
  const { url, authority, requests } = await tlsServer(
    t,
    await tlsCertificate('localhost', Date.now() - 60_000),
  );
  const { code, out, err } = await whoami(url, authority);
  assert.deepEqual([code, out, requests()], [1, '', 0]);
  assert.match(err, /^nameglass: The TLS certificate of localhost:\d+ has expired\.\n$/);
});

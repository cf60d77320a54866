/** A server behind a real reverse proxy with TLS, configured by a file of `packaging/`. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type FeedServer, feedServer } from '../../api/feed/feed-fixture.ts';
import { type Daemon, onFreePort, startDaemon } from '../../harness/network/daemon.ts';
import { tlsCertificate } from '../../harness/network/tls-certificate.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { TestClock } from '../../harness/test-clock.ts';
import type { TestScope } from '../../harness/test-scope.ts';

const root = join(import.meta.dirname, '../../..');
export const packaging = (file: string): string => readFileSync(join(root, 'packaging', file), 'utf8');

interface Where {
  readonly directory: string;
  /** Of the proxy. */
  readonly port: number;
  /** Of the server. */
  readonly upstream: number;
}

export interface ProxySoftware {
  readonly name: string;
  readonly debianPackage: string;
  readonly command: string;
  readonly started: string;
  /** Writes the configuration of `packaging/` for these ports, and returns the arguments. */
  readonly configure: (where: Where) => readonly string[];
}

/** Replaces what an operator is asked to replace; every part must be there. */
export function adapted(
  content: string,
  replacements: readonly (readonly [string | RegExp, string])[],
): string {
  return replacements.reduce((result, [what, by]) => {
    const next = result.replaceAll(
      what instanceof RegExp ? new RegExp(what.source, `g${what.flags}`) : what,
      by,
    );
    if (next === result) throw new Error(`${what} is not in the configuration`);
    return next;
  }, content);
}

/** Writes a whole configuration with this site. */
export function nginxArguments(directory: string, site: string): readonly string[] {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const file = join(directory, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${directory}/pid; error_log stderr notice;
events { worker_connections 4096; }
http { access_log off; ${temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join(' ')}
${site} }`,
  );
  return ['-c', file, '-e', 'stderr'];
}

export const nginx: ProxySoftware = {
  name: 'nginx',
  debianPackage: 'nginx-light',
  command: 'nginx',
  started: 'event method',
  configure: ({ directory, port, upstream }) => {
    const site = adapted(packaging('nginx/nameglass.conf'), [
      [/listen 80;|listen \[::\]:80;/, `listen unix:${directory}/plain.sock;`],
      ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
      [/ {2}listen \[::\]:443 ssl http2;\n/, ''],
      ['127.0.0.1:8080', `127.0.0.1:${upstream}`],
      [/\/etc\/letsencrypt\/live\/names\.example\.org\/(?:fullchain)\.pem/, `${directory}/cert.pem`],
      [/\/etc\/letsencrypt\/live\/names\.example\.org\/(?:privkey)\.pem/, `${directory}/key.pem`],
      ['names.example.org', 'localhost'],
    ]).replace(`listen unix:${directory}/plain.sock;\n  listen unix:`, 'listen unix:');
    return nginxArguments(directory, site);
  },
};

export const caddy: ProxySoftware = {
  name: 'Caddy',
  debianPackage: 'caddy',
  command: 'caddy',
  started: 'serving initial configuration',
  configure: ({ directory, port, upstream }) => {
    const site = adapted(packaging('caddy/Caddyfile'), [
      [/^names\.example\.org \{/m, `localhost:${port} {\n\ttls ${directory}/cert.pem ${directory}/key.pem`],
      [/^\treverse_proxy 127\.0\.0\.1:8080/m, `\treverse_proxy 127.0.0.1:${upstream}`],
    ]);
    const file = join(directory, 'Caddyfile');
    writeFileSync(
      file,
      `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${directory}\n}\n${site}`,
    );
    return ['run', '--config', file, '--adapter', 'caddyfile'];
  },
};

export interface Request {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Response {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface ProxiedServer {
  readonly server: FeedServer;
  /** The URL of the proxy. */
  readonly url: string;
  /** The same request to the proxy, and to the server directly. */
  readonly open: (path: string, options?: Request) => Promise<IncomingMessage>;
  readonly ask: (path: string, options?: Request) => Promise<Response>;
  readonly askDirectly: (path: string, options?: Request) => Promise<Response>;
}

async function read(answer: IncomingMessage): Promise<Response> {
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
}

export function startProxied(scope: TestScope, proxy: ProxySoftware): Promise<ProxiedServer> {
  return onFreePort(async (port) => {
    const url = `https://localhost:${port}`;
    const server = await feedServer(scope, {
      clock: new TestClock(new Date().toISOString()),
      appDirectory: join(root, 'web/dist'),
      settings: { 'http.publicUrl': url, 'http.trustProxy': '127.0.0.1' },
    });
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    const { port: upstream } = server.app.server.address() as AddressInfo;
    const directory = temporaryDirectory(scope);
    const { key, cert } = await tlsCertificate('localhost');
    writeFileSync(join(directory, 'key.pem'), key);
    writeFileSync(join(directory, 'cert.pem'), cert);
    const { command, started, configure } = proxy;
    const args = () => configure({ directory, port, upstream });
    const daemon: Daemon = await startDaemon(scope, { command, started, args }, async () => port);

    const send = async (sent: ReturnType<typeof plainRequest>, body?: string) => {
      // A server that refuses a body may close the connection while it is sent.
      sent.on('error', () => undefined);
      sent.end(body);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return answer;
    };
    const open: ProxiedServer['open'] = (path, { body, ...options } = {}) =>
      send(
        tlsRequest({ ...options, host: 'localhost', port: daemon.port, path, ca: cert, agent: false }),
        body,
      );
    return {
      server,
      url,
      open,
      ask: async (path, options) => read(await open(path, options)),
      askDirectly: async (path, { body, ...options } = {}) =>
        read(
          await send(
            plainRequest({ ...options, host: '127.0.0.1', port: upstream, path, agent: false }),
            body,
          ),
        ),
    };
  });
}

/** A local web for a real browser, an address that it must never reach, and its list of processes. */
import { once } from 'node:events';
import {
  chmodSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../../src/config.ts';
import { createDialer } from '../../../src/outgoing/guarded-dialer.ts';
import type { CapturePageNeeds } from '../../../src/pipeline/screenshots/capture-page.ts';
import { findBrowser } from '../../../src/pipeline/screenshots/find-browser.ts';
import { lastFirst } from '../test-scope.ts';
import { openReceiver, type Receiver } from './http-receiver.ts';
import { tlsCertificate } from './tls-certificate.ts';

const address = '127.80.0.1';

export interface Page {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Pages by `http://host/path`; a function is called on each request. */
export type Pages = Readonly<Record<string, Page | (() => Page)>>;

export interface BrowserFixture extends CapturePageNeeds {
  /** Requested URLs. */
  readonly requests: readonly string[];
  /** Hosts that were resolved. */
  readonly resolved: readonly string[];
  /** A server on an address that the browser is not allowed to reach. */
  readonly forbidden: Receiver;
  /** The directory of browser profiles. */
  readonly directory: string;
}

export interface BrowserProcess {
  /** Arguments separated by spaces. */
  readonly command: string;
  readonly uid: number;
  readonly network: string | undefined;
}

export async function browserFixture(
  t: TestContext,
  pagesOf: (forbidden: Receiver) => Pages,
  settings: Readonly<Record<string, string>> = {},
): Promise<BrowserFixture> {
  const [requests, resolved]: [string[], string[]] = [[], []];
  const forbidden = await openReceiver(t);
  const pages = pagesOf(forbidden);
  const listener =
    (scheme: string): RequestListener =>
    (request, response) => {
      const url = `${scheme}://${request.headers.host}${request.url}`;
      requests.push(url);
      const page = pages[url];
      const {
        status = 200,
        headers = {},
        body = '',
      } = (typeof page === 'function' ? page() : page) ?? {
        status: 404,
      };
      response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
    };
  // Before anything listens: an await in between would miss the event.
  const certificate = await tlsCertificate('localhost.example');
  const http = createServer(listener('http')).listen(0, address);
  const https = createSecureServer(certificate, listener('https')).listen(0, address);
  await Promise.all([once(http, 'listening'), once(https, 'listening')]);
  t.after(() => {
    for (const server of [http, https]) {
      server.closeAllConnections();
      server.close();
    }
  });
  const hosts = new Set(Object.keys(pages).map((url) => new URL(url).hostname));
  const resolve = async (host: string) => {
    resolved.push(host);
    if (!hosts.has(host)) throw new Error('no such name');
    return [address];
  };
  const portOf = (server: { address(): unknown }) => String((server.address() as AddressInfo).port);
  const environment = Object.fromEntries(
    Object.entries({ 'collect.httpPort': portOf(http), 'collect.httpsPort': portOf(https), ...settings }).map(
      ([key, value]) => [variableOf(key), value],
    ),
  );
  const config = readConfig({ environment, file: undefined, flags: {} }).settings;
  const browser = findBrowser(config);
  if (!browser) throw new Error('no browser');
  return {
    requests,
    resolved,
    forbidden,
    directory: ownTemporaryDirectory(t),
    browser,
    dialer: createDialer({ settings: { outgoing: { allow: [address] } }, resolve }),
    settings: config,
  };
}

/** `collect.httpPort` is `NAMEGLASS_COLLECT_HTTP_PORT`. */
function variableOf(key: string): string {
  return `NAMEGLASS_${key.replaceAll('.', '_').replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** A separate directory, so that leftovers of a run are visible even if other browsers are running. */
function ownTemporaryDirectory(t: TestContext): string {
  // On a disk: Chromium does not start on a profile in /dev/shm.
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-test-'));
  lastFirst(t);
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  chmodSync(directory, 0o711);
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = directory;
  t.after(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });
  return directory;
}

/** Processes whose profile is below the directory. */
export function browserProcesses({ directory }: Pick<BrowserFixture, 'directory'>): BrowserProcess[] {
  return globSync('/proc/[0-9]*').flatMap((path) => {
    try {
      const command = readFileSync(`${path}/cmdline`, 'utf8').replaceAll('\0', ' ');
      if (!command.includes(directory)) return [];
      return [{ command, uid: statSync(path).uid, network: findLink(`${path}/ns/net`) }];
    } catch {
      // The process has exited.
      return [];
    }
  });
}

/** Children of this process that have exited and that nobody has waited for. */
export function zombieChildren(): string[] {
  return globSync('/proc/[0-9]*/stat').flatMap((path) => {
    try {
      const [, name = '', state, parent] = /\((.*)\) (\S) (\d+)/s.exec(readFileSync(path, 'utf8')) ?? [];
      return state === 'Z' && Number(parent) === process.pid ? [name] : [];
    } catch {
      // The process has exited.
      return [];
    }
  });
}

function findLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** The browser's helper processes exit shortly after it. */
export async function untilGone(browsed: Pick<BrowserFixture, 'directory'>): Promise<readonly string[]> {
  for (let waits = 0; waits < 200 && browserProcesses(browsed).length > 0; waits += 1) await pause(25);
  const left = browserProcesses(browsed).map(({ command }) => command);
  // The stores of a test are there too.
  return [...left, ...readdirSync(browsed.directory).filter((name) => !name.startsWith('nameglass-test-'))];
}

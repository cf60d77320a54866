/** A small web on this machine for a real browser, a place that it must never reach, and a look at its processes. */
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
import { findBrowser } from '../../src/collect/screenshots/find-browser.ts';
import type { PictureNeeds } from '../../src/collect/screenshots/take-picture.ts';
import { readConfig } from '../../src/config.ts';
import { createDialer } from '../../src/outgoing/guarded-dialer.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { tlsCertificate } from './tls-certificate.ts';

const address = '127.80.0.1';

export interface Page {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Pages by `http://host/path`, and what is to happen when one is asked for. */
export type Pages = Readonly<Record<string, Page | (() => Page)>>;

export interface Browsing extends PictureNeeds {
  /** URLs that were asked for. */
  readonly asked: readonly string[];
  /** Hosts that addresses were asked for. */
  readonly resolved: readonly string[];
  /** On an address that nobody opened to the browser. */
  readonly forbidden: Receiver;
  /** Where runs of the browser keep what they keep. */
  readonly directory: string;
}

export interface BrowserProcess {
  /** Its words, with spaces between them. */
  readonly command: string;
  readonly uid: number;
  readonly network: string | undefined;
}

export async function browsing(
  t: TestContext,
  pagesOf: (forbidden: Receiver) => Pages,
  settings: Readonly<Record<string, string>> = {},
): Promise<Browsing> {
  const [asked, resolved]: [string[], string[]] = [[], []];
  const forbidden = await openReceiver(t);
  const pages = pagesOf(forbidden);
  const listener =
    (scheme: string): RequestListener =>
    (request, response) => {
      const url = `${scheme}://${request.headers.host}${request.url}`;
      asked.push(url);
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
  const http = createServer(listener('http')).listen(0, address);
  const https = createSecureServer(tlsCertificate(t, 'somebody.example'), listener('https')).listen(
    0,
    address,
  );
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
    asked,
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

/** So that what a run leaves behind is seen, whoever else runs a browser now. */
function ownTemporaryDirectory(t: TestContext): string {
  // On a disk: Chromium does not start on a profile in /dev/shm.
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-test-'));
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

/** Those that run on a profile below the directory. */
export function browserProcesses({ directory }: Pick<Browsing, 'directory'>): BrowserProcess[] {
  return globSync('/proc/[0-9]*').flatMap((path) => {
    try {
      const command = readFileSync(`${path}/cmdline`, 'utf8').replaceAll('\0', ' ');
      if (!command.includes(directory)) return [];
      return [{ command, uid: statSync(path).uid, network: findLink(`${path}/ns/net`) }];
    } catch {
      // It has ended meanwhile.
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

/** Helpers that watch over the browser end a moment after it. */
export async function untilGone(browsed: Pick<Browsing, 'directory'>): Promise<readonly string[]> {
  for (let waits = 0; waits < 200 && browserProcesses(browsed).length > 0; waits += 1) await pause(25);
  const left = browserProcesses(browsed).map(({ command }) => command);
  // The stores of a test lie there too.
  return [...left, ...readdirSync(browsed.directory).filter((name) => !name.startsWith('nameglass-test-'))];
}

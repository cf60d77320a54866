/** The web UI in a real browser: a server with an account, people who are signed in, and everything that goes wrong in their pages. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Permission } from '../../../src/model/account/permission.ts';
import { type TestServer, type TestServerOptions, testServer } from '../server/test-server.ts';
import { type WebSession, webSession } from '../server/web-session.ts';
import { TestClock } from '../test-clock.ts';
import type { TestScope } from '../test-scope.ts';
import { openBrowser } from './open-browser.ts';

const appDirectory = join(import.meta.dirname, '../../../web/dist');

export interface WebApp {
  readonly server: TestServer;
  readonly url: string;
  /** A new account: tests share the browser and the server, not what they see. */
  account(): Promise<WebAccount>;
  /** A page of a new browser profile, in which this person is signed in. */
  open(
    scope: TestScope,
    session: WebSession | undefined,
    path: string,
    options?: OpenOptions,
  ): Promise<AppPage>;
}

export interface WebAccount {
  readonly accountId: string;
  readonly person: (name: string, permissions?: readonly Permission[]) => Promise<WebSession>;
}

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** What the person has asked the system for. */
  readonly adapted?: Pick<
    BrowserContextOptions,
    'forcedColors' | 'contrast' | 'reducedMotion' | 'deviceScaleFactor'
  >;
  /** Before the first request. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export interface AppPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors, violations of the content security policy, dialogs, requests to other hosts. */
  readonly problems: string[];
}

/** What only a person can do within a moment, such as reading a page. */
export const patienceMs = 20_000;

export async function webApp(scope: TestScope, options: TestServerOptions = {}): Promise<WebApp> {
  assert.ok(existsSync(join(appDirectory, 'index.html')), 'the web UI is built: npm run build');
  const clock = new TestClock(new Date().toISOString());
  const server = await testServer(scope, {
    clock,
    appDirectory,
    ...options,
    settings: { 'http.port': '0', 'web.pagesPerMinute': '100000', ...options.settings },
  });
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const browser = await openBrowser(scope);
  return {
    server,
    url,
    account: async () => {
      const { caller } = await server.user({ permissions: ['admin'] });
      const { name: account, id: accountId } = caller.account;
      return {
        accountId,
        person: (name, permissions = ['read', 'triage', 'escalate', 'manage']) =>
          webSession(server, { account, name, permissions }),
      };
    },
    open: async (owner, session, path, given = {}) => {
      const opened = await openPage({ browser, url, session, path }, given);
      owner.after(() => opened.context.close());
      return opened;
    },
  };
}

interface Where {
  readonly browser: Browser;
  readonly url: string;
  readonly session: WebSession | undefined;
  readonly path: string;
}

async function openPage({ browser, url, session, path }: Where, options: OpenOptions): Promise<AppPage> {
  const { width = 1280, height = 800, dark = false, adapted = {}, prepare } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...adapted,
  });
  context.setDefaultTimeout(patienceMs);
  const [name = '', value = ''] = session?.cookie.split('=') ?? [];
  if (session) await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
  const page = await context.newPage();
  const problems = watchForProblems(page, url);
  await prepare?.(page);
  await page.goto(url + path);
  return { page, context, problems };
}

function watchForProblems(page: Page, url: string): string[] {
  const problems: string[] = [];
  // A refused request is reported by the browser too; tests that provoke one say so.
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const other = new URL(request.url()).origin !== new URL(url).origin;
    if (other) problems.push(`request to another host: ${request.url()}`);
  });
  return problems;
}

/** One server and one browser for a file of tests, started by the first test that needs them. */
import type { TestContext } from 'node:test';
import type { TestServerOptions } from '../server/test-server.ts';
import type { TestScope } from '../test-scope.ts';
import { needsBrowser } from './open-browser.ts';
import { type WebApp, webApp } from './web-app.ts';

/** Undefined where there is no browser: then the test is skipped. */
export function appOf(
  scope: TestScope,
  options: TestServerOptions = {},
): (t: TestContext) => Promise<WebApp | undefined> {
  let started: Promise<WebApp> | undefined;
  return async (t) => (needsBrowser(t) ? (started ??= webApp(scope, options)) : undefined);
}

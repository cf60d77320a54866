/** An analyst before new lookalikes, in an account of its own; one server and one browser for a file of tests. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { Permission } from '../../../src/model/account/permission.ts';
import type { WebSession } from '../server/web-session.ts';
import type { TestScope } from '../test-scope.ts';
import { type FillOptions, fillWatchlist } from './fill-watchlist.ts';
import { needsBrowser } from './open-browser.ts';
import { patienceMs, type WebApp, webApp } from './web-app.ts';

export interface Desk {
  readonly app: WebApp;
  readonly names: readonly string[];
  readonly ann: WebSession;
  colleague(permissions?: readonly Permission[]): Promise<WebSession>;
  /** How many domains the server has in each list. */
  lists(): Promise<Readonly<Record<'new' | 'changed' | 'watched' | 'ignored' | 'blocked', number>>>;
  fill(count: number, options?: FillOptions): Promise<readonly string[]>;
}

let people = 0;

/** Undefined where there is no browser: then the test is skipped. */
export function desks(
  scope: TestScope,
): (t: TestContext, count: number, options?: FillOptions) => Promise<Desk | undefined> {
  let started: Promise<WebApp> | undefined;
  return async (t, count, options = {}) => {
    if (!needsBrowser(t)) return undefined;
    started ??= webApp(scope);
    const app = await started;
    const { accountId, person } = await app.account();
    const fill: Desk['fill'] = (more, given) => fillWatchlist(app.server, accountId, more, given);
    const names = count === 0 ? [] : await fill(count, options);
    const colleague: Desk['colleague'] = (permissions) => person(`analyst${++people}`, permissions);
    const ann = await colleague();
    const lists: Desk['lists'] = async () => (await ann.call('GET /detect/counts')).json.lists;
    return { app, names, ann, colleague, lists, fill };
  };
}

export const countOf = (page: Page): Promise<string> => page.locator('h1 .count').innerText();
export const currentName = (page: Page): Promise<string> => page.locator('.row.at .name').innerText();

export async function until(page: Page, condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, 'it happens within the time a person waits');
    await page.waitForTimeout(30);
  }
}

export const showsCount = (page: Page, count: string): Promise<void> =>
  until(page, async () => (await countOf(page)) === count);

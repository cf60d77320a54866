/** A real Chromium for tests of the web UI: never as root, and never without its sandbox. */
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { readConfig } from '../../../src/config.ts';
import { findBrowser } from '../../../src/pipeline/screenshots/find-browser.ts';
import { needsPackage } from '../debian-package.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import type { TestScope } from '../test-scope.ts';

export const needsBrowser = (t: TestContext): boolean => needsPackage(t, 'chromium', 'chromium');

export async function openBrowser(scope: TestScope): Promise<Browser> {
  const found = findBrowser(readConfig({ environment: {}, flags: {} }).settings);
  if (!found) throw new Error('no browser is installed');
  const directory = temporaryDirectory(scope);
  const profile = join(directory, 'profile');
  const downloads = join(directory, 'downloads');
  mkdirSync(profile);
  mkdirSync(downloads);
  const user = found.user;
  if (user) {
    chmodSync(directory, 0o755);
    chownSync(profile, user.uid, user.gid);
    chownSync(downloads, user.uid, user.gid);
  }
  const become = user
    ? `setpriv --reuid=${user.uid} --regid=${user.gid} --clear-groups --inh-caps=-all -- `
    : '';
  const command = join(directory, 'chromium.sh');
  // The last directory given for user data counts, and only this one belongs to the other user.
  writeFileSync(
    command,
    `#!/bin/sh\nexport HOME="${profile}" TMPDIR="${profile}"\nexec ${become}${found.path} "$@" --user-data-dir="${profile}"\n`,
    { mode: 0o755 },
  );
  const browser = await chromium.launch({
    executablePath: command,
    chromiumSandbox: true,
    downloadsPath: downloads,
    args: ['--disable-gpu', '--disable-dev-shm-usage', '--force-color-profile=srgb'],
  });
  scope.after(() => browser.close());
  return browser;
}

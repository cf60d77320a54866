/**
 * `npm run screenshot`: takes the picture of Triage in the README, `docs/triage.webp`, from a demonstration that it starts and ends. The
 * simulated Internet differs from run to run, so the picture does too; take it again when the page looks different.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { openBrowser } from '../test/harness/browser/open-browser.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'docs/triage.webp');
const viewport = { width: 1280, height: 800 };
/** So many lookalikes with pictures fill the page. */
const picturesWanted = 3;
const patienceMs = 600_000;

const cleanUps: (() => unknown)[] = [];
const scope = { after: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) };

/** The link that the demonstration prints. */
async function startDemonstration(): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'nameglass-screenshot-'));
  scope.after(() => rmSync(data, { recursive: true, force: true }));
  const args = ['src/main.ts', 'serve', '--demo', '--port', '0', '--data', data];
  const server = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  scope.after(() => (server.kill(), ended));
  for await (const line of createInterface({ input: server.stdout })) {
    const link = /Open (\S+)/.exec(line)?.[1];
    if (link !== undefined) return link;
  }
  throw new Error('the demonstration ended before it was ready');
}

interface Listed {
  readonly domains: readonly { readonly id: string; readonly picture: { readonly state: string } }[];
}

/** The riskiest domain with a picture, once there are enough of them. */
async function findSubject(page: Page): Promise<string> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    const answer = await page.request.get('/ui/api/detect/domains?list=new&sort=risk&limit=100');
    const { domains } = (await answer.json()) as Listed;
    const pictured = domains.filter(({ picture }) => picture.state === 'taken');
    if (pictured[0] && pictured.length >= picturesWanted) return pictured[0].id;
    await page.waitForTimeout(2000);
  }
  throw new Error(
    `fewer than ${picturesWanted} screenshots within ${patienceMs / 1000} s; is Chromium installed?`,
  );
}

try {
  const link = new URL(await startDemonstration());
  const browser = await openBrowser(scope);
  const page = await browser.newPage({ viewport, baseURL: link.origin, reducedMotion: 'reduce' });
  await page.goto(link.href);
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.locator('.row').first().waitFor();
  const at = await findSubject(page);
  await page.goto(`/ui/triage?at=${at}&card=1`);
  await page.locator('.card figure img').waitFor();
  await page.locator('.card .reasons').waitFor();
  await page.waitForLoadState('load');
  await page.waitForTimeout(1000);
  await sharp(await page.screenshot())
    .webp({ quality: 85 })
    .toFile(target);
  console.log(`written: ${target}`);
} finally {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
}

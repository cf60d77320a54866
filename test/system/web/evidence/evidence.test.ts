/** Evidence packs in a real browser: made of a selection in Triage, kept as a case, verified without a server. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { unzipSync, zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { verifyPack } from '../../../../src/model/evidence/verify-pack.ts';
import { publicKeyPem, signingKey } from '../../../../src/product/evidence/signing-key.ts';
import { axeViolations } from '../../../harness/browser/axe.ts';
import { desks } from '../../../harness/browser/triage-desk.ts';
import { fileScope } from '../../../harness/test-scope.ts';

const openDesk = desks(fileScope());

const choosePack = (page: Page, name: string, bytes: Uint8Array) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/zip', buffer: Buffer.from(bytes) });

async function isSound(page: Page): Promise<void> {
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await axeViolations(page), [], `${width} px in ${colorScheme}`);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.ok((overflow as number) <= 0, `${width} px: no horizontal scrolling`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

describe('evidence', { concurrency: 1 }, () => {
  test('a pack of what is selected in Triage is made by keyboard, saved, and kept as a case', async (t) => {
    const desk = await openDesk(t, 4);
    if (!desk) return;
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/triage');
    await page.locator('.row').first().waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('p');
    const dialog = page.getByRole('dialog', { name: 'Evidence pack' });
    await dialog.getByRole('heading', { name: 'Evidence pack of 2 domains' }).waitFor();
    await isSound(page);
    await dialog.getByLabel('Name of the recipient').fill('Registrar Ltd');
    const saving = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    const pack = await readFile(await (await saving).path());
    assert.equal((await verifyPack(pack)).manifest?.domains.length, 2);
    await page.getByRole('button', { name: 'Open the case' }).click();
    await page.waitForURL(/\/ui\/evidence\/[0-9a-f-]{36}/);
    await page.getByText('Dear Registrar Ltd').waitFor();
    assert.deepEqual(problems, []);
  });

  test('what became of a case is entered and shows in the list, and the letter is copied', async (t) => {
    const desk = await openDesk(t, 1);
    if (!desk) return;
    const body = { domains: desk.names, recipient: 'lawyer' };
    const { json } = await desk.ann.call('POST /evidence', { body });
    const { page, problems } = await desk.app.open(t, desk.ann, `/ui/evidence/${json.id}`);
    await page.getByLabel('Outcome').selectOption('Taken down');
    await page.getByLabel('When it was sent').fill('2026-11-02');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The case was changed').waitFor();
    await page.getByRole('button', { name: 'Copy the letter' }).click();
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(copied, new RegExp(json.sha256));
    await isSound(page);
    await page.getByRole('link', { name: 'All cases' }).click();
    const row = page.locator('tbody tr');
    assert.equal(await row.locator('.outcome').innerText(), 'Taken down');
    await isSound(page);
    await page.getByLabel('Outcome').selectOption('Refused');
    await page.getByRole('heading', { name: 'No case has this outcome' }).waitFor();
    await page.goto(`${desk.app.url}/ui/evidence/${json.id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'There is no evidence pack yet' }).waitFor();
    assert.deepEqual(problems, []);
  });

  test('the browser verifies a pack of this installation, and names a file that was changed', async (t) => {
    const desk = await openDesk(t, 1);
    if (!desk) return;
    const { json } = await desk.ann.call('POST /evidence', { body: { domains: desk.names } });
    const { bytes } = await desk.ann.call(`GET /evidence/${json.id}/pack`);
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/evidence/verify');
    await choosePack(page, 'pack.zip', bytes);
    await page.getByRole('heading', { name: 'The pack is intact' }).waitFor();
    await page.getByText('It is the key of this installation.').waitFor();
    await isSound(page);
    const files = unzipSync(bytes);
    const changed = Uint8Array.from(files['evidence.json'] ?? []);
    changed[0] = 0x20;
    await choosePack(page, 'changed.zip', zipSync({ ...files, 'evidence.json': changed }));
    await page.getByRole('heading', { name: 'The pack is NOT intact' }).waitFor();
    assert.equal(await page.locator('.faults').innerText(), 'evidence.json was changed');
    await isSound(page);
    await choosePack(page, 'no.zip', Buffer.from('PK nothing'));
    await page.getByText('the archive cannot be read').waitFor();
    assert.deepEqual(problems, []);
  });

  test('a pack of another installation is verified with the key of its sender alone', async (t) => {
    const desk = await openDesk(t, 1);
    if (!desk) return;
    const { json } = await desk.ann.call('POST /evidence', { body: { domains: desk.names } });
    const { bytes } = await desk.ann.call(`GET /evidence/${json.id}/pack`);
    const key = (await desk.ann.call('GET /evidence')).json.key.pem;
    const { page, problems } = await desk.app.open(t, desk.ann, '/ui/evidence/verify');
    await page.getByLabel('Key of another sender').check();
    await choosePack(page, 'pack.zip', bytes);
    await page.getByText('Paste the key of the sender first.').waitFor();
    const field = page.getByLabel('Public key of the sender');
    await field.fill('no key');
    await page.getByText('This is no Ed25519 public key').waitFor();
    await field.fill(publicKeyPem(signingKey(Buffer.alloc(32, 9))));
    await page.getByText('manifest.json has no valid signature of the key').waitFor();
    await field.fill(key);
    await page.getByText('It is the key that you gave.').waitFor();
    assert.deepEqual(problems, []);
  });

  test('each field of a record leads to the bytes it was read from, and hostile text stays text', async (t) => {
    const desk = await openDesk(t, 1);
    if (!desk) return;
    const { app, ann, names } = desk;
    const [domain = ''] = names;
    const clock = app.server.clock.now();
    const record = { domain, website_title: 'Sign in' };
    await app.server.domains.upsert([{ record, source: 'web', seenMs: clock }]);
    const bytes = Buffer.from('<img src=x onerror="alert(1)">\u202E');
    const probe = { domain, collector: 'web', kind: 'http-body', address: '192.0.2.1' } as const;
    const asked = { asked: `http://${domain}/`, request: `GET http://${domain}/`, mediaType: 'text/html' };
    await app.server.rawAnswers.saveAnswers(
      [{ ...probe, ...asked, bytes, atMs: clock, isTruncated: false }],
      { domainBytesMax: 1e6, totalBytesMax: 1e6 },
    );
    const { page, problems } = await app.open(t, ann, `/ui/domain/${domain}?tab=record`);
    await page.getByRole('button', { name: /Show the bytes of .*title/i }).click();
    const dialog = page.getByRole('dialog', { name: 'Raw answers' });
    await dialog.getByText('<img src=x onerror="alert(1)">').waitFor();
    assert.equal(await dialog.locator('.boxed').count(), 1);
    await isSound(page);
    assert.deepEqual(problems, []);
  });

  test('a domain is made passive on its page, and whose requests it has seen is listed', async (t) => {
    const desk = await openDesk(t, 1);
    if (!desk) return;
    const { app, ann, names } = desk;
    const [domain = ''] = names;
    const request = { domain, collector: 'web', protocol: 'https', host: domain, port: 443 } as const;
    const connection = { address: '192.0.2.1', source: '198.51.100.7', outcome: '200' };
    await app.server.opsec.addRequests([{ ...request, ...connection, atMs: app.server.clock.now() }]);
    const { page, problems } = await app.open(t, ann, `/ui/domain/${domain}`);
    await page.getByRole('cell', { name: '198.51.100.7' }).waitFor();
    await page.getByRole('switch', { name: 'Passive only' }).click();
    await page.getByText(/^Set by/).waitFor();
    assert.equal(await app.server.opsec.isPassive(domain), true);
    await isSound(page);
    await page.getByRole('switch', { name: 'Passive only' }).click();
    await page.getByText('It counts from the next collection on').waitFor();
    assert.equal(await app.server.opsec.isPassive(domain), false);
    const viewer = await desk.colleague(['read']);
    const seen = await app.open(t, viewer, `/ui/domain/${domain}`);
    await seen.page.getByRole('switch', { name: 'Passive only' }).waitFor();
    assert.equal(await seen.page.getByRole('switch', { name: 'Passive only' }).isDisabled(), true);
    assert.deepEqual(problems, []);
  });
});

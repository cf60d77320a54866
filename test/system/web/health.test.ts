/** Health in a real browser, as the operator meets it at night (journey J4). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StoreFault } from '../../../src/store/engine/store-fault.ts';
import { processReport } from '../../conformance/health-store.ts';
import { axeViolations } from '../../harness/browser/axe.ts';
import { appOf } from '../../harness/browser/start-app.ts';
import { fileScope } from '../../harness/test-scope.ts';

let faults: readonly StoreFault[] = [];
const openApp = appOf(fileScope(), { findFaults: async () => faults });
const hostile = '<img src=x onerror=alert(1)> \u202egpj.exe connection refused';

describe('health', { concurrency: 1 }, () => {
  test('J4 one key shows what fails first, and two clicks its last error and what to do', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const { server } = app;
    const nowMs = server.clock.now();
    const part = {
      unit: 'names',
      startedMs: nowMs,
      failuresUsual: 0,
      total: 3,
      perMinute: new Array(60).fill(1),
    } as const;
    const well = { ...part, failuresInRow: 0, lastSuccessMs: nowMs };
    await server.health.saveReport(
      processReport({
        atMs: nowMs,
        parts: [
          ...['dns', 'rdap', 'tls'].map((name) => ({ ...well, kind: 'collector', name }) as const),
          {
            ...part,
            kind: 'source',
            name: 'ct:retired log/2026',
            failuresInRow: 4,
            lastFailureMs: nowMs,
            lastError: hostile,
          },
        ],
      }),
    );
    const ann = await (await app.account()).person('health-operator');
    await server.people.updatePerson(ann.person.id, { operator: true }, { actor: 'operator', atMs: nowMs });
    const { page, problems } = await app.open(t, ann, '/ui/triage');
    await page.getByRole('link', { name: 'Health' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByText('1 failing').waitFor();
    const first = page.locator('tbody tr').first();
    assert.match(await first.innerText(), /Failing/);
    assert.deepEqual(await axeViolations(page), []);
    await first.getByRole('link').click();
    await page.getByRole('heading', { name: 'What to do' }).waitFor();
    assert.match(
      await page.locator('.part-error-whole').innerText(),
      /<img src=x onerror=alert\(1\)>.*connection refused/,
    );
    await page.getByText('Open its URL from the server with curl', { exact: false }).waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await axeViolations(page), []);
    await page.reload();
    await page.getByRole('heading', { name: 'What to do' }).waitFor();
    await page.goBack();
    await page.getByText('1 failing').waitFor();
    assert.deepEqual(await axeViolations(page), []);
    assert.deepEqual(problems, []);
  });

  test('of several nodes each process and part has its own, and what the stores lack is said first', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const { server } = app;
    const nowMs = server.clock.now();
    await server.health.removeReport('worker-1-1');
    const source = { kind: 'source', name: 'ct:shared', unit: 'names', startedMs: nowMs } as const;
    const counts = { failuresUsual: 0, failuresInRow: 0, total: 3, perMinute: new Array(60).fill(1) };
    for (const [node, more] of [
      ['node-a', { lastSuccessMs: nowMs }],
      ['node-b', { off: 'another worker reads it' }],
    ] as const)
      await server.health.saveReport(
        processReport({
          process: `worker-1-1@${node}`,
          node,
          atMs: nowMs,
          parts: [{ ...source, ...counts, ...more }],
        }),
      );
    faults = [{ part: 's3', message: 'the object store does not answer', isPartial: true }];
    const ann = await (await app.account()).person('cluster-operator');
    await server.people.updatePerson(ann.person.id, { operator: true }, { actor: 'operator', atMs: nowMs });
    const { page, problems } = await app.open(t, ann, '/ui/health');
    await page.getByText('The stores: the object store does not answer.').waitFor();
    await page.getByText('All parts run, but the stores lack something.').waitFor();
    await page.getByText('on node-b').waitFor();
    const processes = page.getByRole('table').filter({ hasText: 'Last seen' });
    assert.deepEqual(await processes.locator('tbody tr td:nth-child(3)').allInnerTexts(), [
      'node-a',
      'node-b',
    ]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width: 390, height: 800 });
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await axeViolations(page), []);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
    }
    faults = [];
    for (const node of ['node-a', 'node-b']) await server.health.removeReport(`worker-1-1@${node}`);
    assert.deepEqual(problems, []);
  });

  test('somebody who does not operate the server has no link to it, and its page says why it is empty', async (t) => {
    const app = await openApp(t);
    if (!app) return;
    const ann = await (await app.account()).person('health-reader');
    const { page } = await app.open(t, ann, '/ui/health');
    await page.getByRole('alert').waitFor();
    assert.match(await page.getByRole('alert').innerText(), /operator/);
    assert.equal(await page.getByRole('link', { name: 'Health' }).count(), 0);
  });
});

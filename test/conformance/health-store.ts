/** The conformance suite of health stores. Two handles on the same data stand for two processes. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { ProcessReport } from '../../src/model/health/part-report.ts';
import type { HealthStore } from '../../src/store/health-store.ts';

/** A function that opens one more handle on the data of this test. */
export type OpenHealthStore = (t: TestContext) => () => HealthStore;

const startMs = 1_800_000_000_000;

export function processReport(change: Partial<ProcessReport> = {}): ProcessReport {
  return {
    process: 'worker-1-1',
    node: 'node-a',
    role: 'worker',
    version: '0.2.0',
    startedMs: startMs,
    atMs: startMs + 1000,
    memoryBytes: 1,
    jobKinds: ['collect'],
    parts: [],
    ...change,
  };
}

export function healthStoreConformance(name: string, open: OpenHealthStore): void {
  describe(`health store: ${name}`, () => {
    test('before any report there is none', async (t) => {
      assert.deepEqual(await open(t)().listReports(), []);
    });

    test('a report is read by another process as it was saved', async (t) => {
      const handle = open(t);
      const part = {
        kind: 'source',
        name: 'ct:a/../b "quoted"',
        unit: 'names',
        startedMs: startMs,
        failuresUsual: 0,
        failuresInRow: 2,
        lastFailureMs: startMs,
        lastError: 'connection refused \u202e\u0000',
        total: 7,
        perMinute: [1, 2, 3],
      } as const;
      const report = processReport({ parts: [part] });
      await handle().saveReport(report);
      assert.deepEqual(await handle().listReports(), [report]);
    });

    test('a newer report of the same process replaces the one before', async (t) => {
      const store = open(t)();
      await store.saveReport(processReport());
      await store.saveReport(processReport({ atMs: startMs + 6000 }));
      const reports = await store.listReports();
      assert.deepEqual(
        reports.map(({ atMs }) => atMs),
        [startMs + 6000],
      );
    });

    test('processes are listed in the order of their start', async (t) => {
      const store = open(t)();
      await store.saveReport(processReport({ process: 'a', startedMs: startMs + 2 }));
      await store.saveReport(processReport({ process: 'b', startedMs: startMs + 1 }));
      assert.deepEqual(
        (await store.listReports()).map(({ process }) => process),
        ['b', 'a'],
      );
    });

    test('a process that stops removes its own report alone', async (t) => {
      const store = open(t)();
      await store.saveReport(processReport({ process: 'a/b' }));
      await store.saveReport(processReport({ process: 'a' }));
      await store.removeReport('a/b');
      await store.removeReport('unknown');
      assert.deepEqual(
        (await store.listReports()).map(({ process }) => process),
        ['a'],
      );
    });

    test('reports of killed processes are removed by their age', async (t) => {
      const store = open(t)();
      await store.saveReport(processReport({ process: 'old', atMs: startMs }));
      await store.saveReport(processReport({ process: 'new', atMs: startMs + 1 }));
      await store.removeReportsBefore(startMs + 1);
      assert.deepEqual(
        (await store.listReports()).map(({ process }) => process),
        ['new'],
      );
    });
  });
}

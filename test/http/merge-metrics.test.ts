/** The metrics of two processes in one answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../../src/http/metrics.ts';

async function merged(): Promise<string> {
  const [api, worker] = [createMetrics({ process: false }), createMetrics({ process: false })];
  api.watch('nameglass_both', 'Known to both.', () => ({ same: 1, onlyApi: 2 }));
  worker.watch('nameglass_both', 'Known to both.', () => ({ same: 5, broken: Number.NaN }));
  worker.watch('nameglass_worker_alone', 'Of the worker.', () => ({ done: 7 }));
  api.countRequest('front', 'healthz', 200, 3);
  // As it arrives from another process.
  api.addSource(async () => JSON.parse(JSON.stringify(await worker.families())) as readonly unknown[]);
  return api.text();
}

test('what only one process has is shown as it is', async () => {
  const text = await merged();
  assert.match(text, /^nameglass_worker_alone\{kind="done"\} 7$/m);
  assert.match(text, /^nameglass_both\{kind="only_api"\} 2$/m);
  assert.match(
    text,
    /^nameglass_http_request_seconds_count\{scope="front",operation="healthz",status="200"\} 1$/m,
  );
});

test('of a gauge in both the added process counts, and each name is described once', async () => {
  const text = await merged();
  assert.match(text, /^nameglass_both\{kind="same"\} 5$/m);
  assert.match(text, /^nameglass_both\{kind="broken"\} Nan$/m);
  assert.equal(text.match(/^# TYPE nameglass_both gauge$/gm)?.length, 1);
});

test('the values of processes have the role of their process as label', async () => {
  const text = await createMetrics({ process: true, role: 'worker' }).text();
  assert.match(text, /^nameglass_process_resident_memory_bytes\{role="worker"\} \d+$/m);
});

test('a process that does not answer is left out', async () => {
  const api = createMetrics({ process: false });
  api.watch('nameglass_own', 'Its own.', () => ({ one: 1 }));
  api.addSource(async () => undefined);
  assert.match(await api.text(), /^nameglass_own\{kind="one"\} 1$/m);
});

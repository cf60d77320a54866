/** A worker thread with calls for tests of the worker client. */
import { setTimeout as pause } from 'node:timers/promises';
import { threadId, workerData } from 'node:worker_threads';
import { serveWorkerCalls, transferResult } from '../../../src/concurrency/worker-client.ts';
import { Problem } from '../../../src/model/problem.ts';

let last = new Uint8Array();

const calls = {
  add: (one: number, other: number) => one + other,
  refuse: (message: string) => {
    throw new Problem('not-found', message);
  },
  fail: async (message: string) => {
    throw new Error(message);
  },
  die: (): void => process.exit(3),
  /** The thread id and its worker data. */
  identify: (): [number, unknown] => [threadId, workerData],
  /** Moved to the caller. */
  bytes: (length: number) => {
    last = new Uint8Array(length);
    return transferResult(last, [last.buffer]);
  },
  /** What the thread still has of the last such result. */
  lastLength: () => last.length,
  lengthOf: (bytes: Uint8Array) => bytes.length,
  setOnExit: (cell: SharedArrayBuffer): void => {
    process.once('exit', () => {
      Atomics.store(new Int32Array(cell), 0, 1);
      Atomics.notify(new Int32Array(cell), 0);
    });
  },
  wait: (ms: number) => new Promise<string>((resolve) => setTimeout(resolve, ms, 'waited')),
};

export type TestCalls = typeof calls;

/** Of a thread whose modules take long to load: where it notes that they are. */
const loading = (workerData as { readonly loading?: SharedArrayBuffer } | undefined)?.loading;
if (loading) {
  await pause(200);
  Atomics.store(new Int32Array(loading), 0, 1);
}

serveWorkerCalls(calls);

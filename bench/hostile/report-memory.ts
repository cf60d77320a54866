/**
 * Loaded into the server before it starts: at a signal SIGUSR2 it collects garbage and writes how many bytes of heap and buffers are
 * left to the file that MEMORY_REPORT names. Resident memory alone says little, since it grows with garbage and never shrinks.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env['MEMORY_REPORT'];
if (isMainThread && file !== undefined) {
  process.on('SIGUSR2', () => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(`${file}.new`, String(heapUsed + external));
    renameSync(`${file}.new`, file);
  });
}

/**
 * Loaded into the processes of a server with `--import`. In that of the API it notes the longest processor time that the main thread takes
 * between two turns of its event loop. A pause is longer than that where the thread waits for a processor: clients and all other load
 * of a benchmark want the same ones.
 */
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const everyMs = 2;
const notedEveryMs = 500;
const file = process.env['BENCH_WORK_FILE'];

/** Lines of the time in milliseconds, and the longest work since the line before. */
function noteWork(path: string): void {
  let longestMs = 0;
  let before = process.threadCpuUsage();
  const measure = () => {
    const now = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (now.user - before.user + now.system - before.system) / 1000);
    before = now;
  };
  const note = () => {
    appendFileSync(path, `${Date.now()} ${longestMs}\n`);
    longestMs = 0;
  };
  setInterval(measure, everyMs).unref();
  setInterval(note, notedEveryMs).unref();
}

if (file !== undefined && isMainThread && process.argv.includes('api')) noteWork(file);

/**
 * A worker that reads one source under its lease: batch number n has a domain and a host, and moves the checkpoint to n + 1. It reports each batch before it
 * is ingested, and the end of its lease. The test may stop or kill it at any time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { NameSource } from '../../../../src/collect/sources/source.ts';
import { startSources } from '../../../../src/pipeline/start-sources.ts';
import { openLeaseStore } from '../../../../src/store/distributed/lease/lease-store.ts';
import { openNameStore } from '../../../../src/store/distributed/name/name-store.ts';
import { PostgresDatabase } from '../../../../src/store/distributed/postgres/database.ts';
import { openObjects } from '../../../../src/store/distributed/s3/open-objects.ts';
import { openStreamStore } from '../../../../src/store/distributed/stream/stream-store.ts';
import { unusedS3 } from '../../engines/unused-s3.ts';
import { unsavedHealth } from '../../health-reporter.ts';

const [options = ''] = process.argv.slice(2);
const database = new PostgresDatabase(JSON.parse(options));
const clock = { now: Date.now };
const names = openNameStore(database);
const streams = openStreamStore(database, openObjects(database, unusedS3));

const source: NameSource = {
  name: 'numbers',
  everyMs: 10,
  async poll(intake, signal) {
    signal.addEventListener('abort', () => process.stdout.write('ended\n'), { once: true });
    while (!signal.aborted) {
      const number = Number((await intake.findCheckpoint('numbers')) ?? 0);
      process.stdout.write(`read ${number}\n`);
      // Where the test stops it.
      await pause(200);
      const domain = `n${number}.example`;
      const batch = {
        names: [domain, `host.${domain}`],
        seenMs: clock.now(),
        checkpoint: String(number + 1),
      };
      await intake.ingest('numbers', batch);
    }
  },
};

startSources({
  sources: [source],
  names,
  streams,
  leases: openLeaseStore(database),
  leaseTimes: { leaseMs: 1000, everyMs: 250 },
  clock,
  health: unsavedHealth(clock),
  onFailure: (error) => process.stdout.write(`failed ${(error as Error).name}\n`),
});
setInterval(() => undefined, 60_000);

/** Leases all jobs of a kind, reports their number, and holds them until it is killed. */
import { openJobStore } from '../../../../src/store/embedded/job-store.ts';

const [directory = '', kind = ''] = process.argv.slice(2);
const jobs = openJobStore(directory, { now: Date.now });
const leased = await jobs.leaseJobs(kind, 100, 1000, 1_000_000);
process.stdout.write(`${leased.length}\n`);
setInterval(() => undefined, 1000);

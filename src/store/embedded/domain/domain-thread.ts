/** A thread of the store of domains. */
import { workerData } from 'node:worker_threads';
import { performJobs } from '../thread-jobs.ts';
import { domainWork } from './domain-work.ts';
import { openDomains } from './open-domains.ts';

performJobs(domainWork(openDomains((workerData as { path: string }).path)));

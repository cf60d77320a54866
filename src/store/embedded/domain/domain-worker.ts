import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { domainCalls } from './domain-calls.ts';
import { openDomains } from './open-domains.ts';

serveWorkerCalls(domainCalls(openDomains((workerData as { path: string }).path)));

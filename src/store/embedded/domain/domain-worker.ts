import { workerData } from 'node:worker_threads';
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { domainCalls } from './domain-calls.ts';
import { openDomains } from './open-domains.ts';

const { path, cacheBytes } = workerData as { path: string; cacheBytes: number };
serveWorkerCalls(domainCalls(openDomains(path, cacheBytes)));

/** The worker thread that parses pages of certificate logs. */
import { serveWorkerCalls } from '../../../concurrency/worker-client.ts';
import { type LogPage, PageParser, type PageRequest } from './log-page.ts';

const reading = new PageParser();

const calls = { read: (request: PageRequest): LogPage => reading.read(request) };

export type PageCalls = typeof calls;

serveWorkerCalls(calls);

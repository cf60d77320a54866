/** The thread that reads pages of logs. */
import { parentPort } from 'node:worker_threads';
import { Problem } from '../../../model/problem.ts';
import { type LogPage, PageReading, type PageRequest } from './log-page.ts';

export type PageAnswer = { readonly id: number } & (
  | { readonly page: LogPage }
  | { readonly problem: string }
  | { readonly error: string }
);

const reading = new PageReading();

parentPort?.on('message', ({ id, request }: { id: number; request: PageRequest }) => {
  parentPort?.postMessage(answerTo(id, request));
});

function answerTo(id: number, request: PageRequest): PageAnswer {
  try {
    return { id, page: reading.read(request) };
  } catch (error) {
    if (error instanceof Problem) return { id, problem: error.message };
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

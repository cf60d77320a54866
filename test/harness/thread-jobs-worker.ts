/** A thread with jobs that do what a test wants of them. */
import { threadId, workerData } from 'node:worker_threads';
import { Problem } from '../../src/model/problem.ts';
import { performJobs } from '../../src/store/embedded/thread-jobs.ts';

const jobs = {
  add: (one: number, other: number) => one + other,
  refuse: (message: string) => {
    throw new Problem('not-found', message);
  },
  fail: async (message: string) => {
    throw new Error(message);
  },
  die: (): void => process.exit(3),
  /** Which thread this is, and what it was given. */
  tell: (): [number, unknown] => [threadId, workerData],
  wait: (ms: number) => new Promise<string>((resolve) => setTimeout(resolve, ms, 'waited')),
};

export type TestJobs = typeof jobs;

performJobs(jobs);

/** A thread that does the heavy work of the store: sorting and writing parts, merging them, publishing runs. */
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { Problem, type ProblemCode } from '../../../model/problem.ts';
import { type ImportProgress, Manifest } from './manifest.ts';
import { type ListedRun, partNames, partPath, type RunSummary } from './run-files.ts';
import { type DataPart, mergeParts, type WrittenPart, writePartOf } from './write-part.ts';

export type Job =
  | {
      readonly kind: 'write';
      readonly batch: Uint8Array;
      readonly run: string;
      readonly part: DataPart;
    }
  | {
      readonly kind: 'merge';
      readonly runs: readonly string[];
      readonly run: string;
      readonly part: DataPart;
      readonly nowSeconds: number;
    }
  | {
      readonly kind: 'publish';
      readonly run: RunSummary | undefined;
      readonly progress: ImportProgress | undefined;
      readonly told: boolean;
    }
  | {
      readonly kind: 'replace';
      readonly run: RunSummary;
      readonly of: readonly string[];
      readonly claimant: string;
    }
  | {
      readonly kind: 'claim';
      readonly runs: readonly string[];
      readonly claimant: string;
      readonly nowMs: number;
    }
  | { readonly kind: 'release'; readonly claimant: string }
  | { readonly kind: 'mark-told'; readonly sequence: number }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'list-free'; readonly nowMs: number };

export interface JobResults {
  write: WrittenPart;
  merge: WrittenPart;
  publish: undefined;
  replace: boolean;
  claim: boolean;
  release: undefined;
  'mark-told': undefined;
  remove: undefined;
  'list-free': readonly ListedRun[];
}

export type JobAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly problem: { code: ProblemCode; message: string } }
  | { readonly id: number; readonly error: string };

/** A merge that takes longer than this may be begun again by another process. */
const claimMs = 6 * 3_600_000;

const { directory } = workerData as { directory: string };
let opened: Manifest | undefined;

function manifest(): Manifest {
  opened ??= new Manifest(directory);
  return opened;
}

async function work(job: Job): Promise<unknown> {
  if (job.kind === 'write') return writePartOf(job.batch, directory, job.run, job.part);
  if (job.kind === 'merge') return mergeParts(directory, job.runs, job.run, job.part, job.nowSeconds);
  if (job.kind === 'list-free') return manifest().listFree(job.nowMs);
  if (job.kind === 'remove') return removeRun(job.name);
  if (job.kind === 'release') return manifest().release(job.claimant);
  if (job.kind === 'mark-told') return manifest().markTold(job.sequence);
  if (job.kind === 'claim') {
    return manifest().claim(job.runs, job.claimant, job.nowMs, job.nowMs + claimMs);
  }
  if (job.run) syncDirectory();
  if (job.kind === 'publish') return manifest().publish(job.run, job.progress, job);
  const replaced = await manifest().replace(job.run, job.of, job.claimant);
  for (const name of replaced ? job.of : [job.run.name]) removeRun(name);
  return replaced;
}

/** Makes sure that the names of new files survive a power cut, as their contents already do. */
function syncDirectory(): void {
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

function removeRun(name: string): void {
  for (const part of partNames) rmSync(partPath(directory, name, part), { force: true });
}

parentPort?.on('message', ({ id, job }: { id: number; job: Job }) => {
  work(job)
    .then((result): JobAnswer => ({ id, result }))
    .catch((error: unknown): JobAnswer => {
      if (error instanceof Problem) return { id, problem: { code: error.code, message: error.message } };
      return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    })
    .then((answer) => parentPort?.postMessage(answer))
    .catch(() => process.exit(1));
});

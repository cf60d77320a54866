/** Reports of processes as small files, one each, replaced by renaming: a reader meets the old one or the new one. */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minuteMs } from '../../model/durations.ts';
import type { ProcessReport } from '../../model/health/part-report.ts';
import type { HealthStore, StoreSize } from '../health-store.ts';
import { findLastBackup } from './backup/last-backup.ts';
import { measureStores } from './measure-stores.ts';

const suffix = '.json';
const measureMs = 5 * minuteMs;

export function openHealthStore(data: string): HealthStore {
  const directory = join(data, 'health');
  const pathOf = (process: string) => join(directory, `${encodeURIComponent(process)}${suffix}`);
  const list = async () => {
    const files = await readdir(directory).catch(() => [] as string[]);
    const reports = await Promise.all(
      files.filter((file) => file.endsWith(suffix)).map((file) => readReport(join(directory, file))),
    );
    return reports
      .filter((report) => report !== undefined)
      .sort((one, other) => one.startedMs - other.startedMs);
  };
  let measured: { readonly atMs: number; readonly sizes: Promise<readonly StoreSize[]> } | undefined;
  const remove = (process: string) => rm(pathOf(process), { force: true });
  return {
    async saveReport(report) {
      const path = pathOf(report.process);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeFile(`${path}.new`, JSON.stringify(report), { mode: 0o600 });
      await rename(`${path}.new`, path);
    },
    listReports: list,
    listSizes() {
      const nowMs = performance.now();
      if (!measured || nowMs - measured.atMs > measureMs)
        measured = { atMs: nowMs, sizes: measureStores(data) };
      return measured.sizes;
    },
    async findBackup() {
      const { birthtimeMs } = await stat(join(data, 'accounts.db'));
      return { last: findLastBackup(data), dataSinceMs: birthtimeMs };
    },
    removeReport: remove,
    async removeReportsBefore(beforeMs) {
      for (const { process, atMs } of await list()) if (atMs < beforeMs) await remove(process);
    },
  };
}

/** Undefined for one that was removed meanwhile, or that a full disk or a crash has cut. */
async function readReport(path: string): Promise<ProcessReport | undefined> {
  try {
    const report = JSON.parse(await readFile(path, 'utf8')) as ProcessReport;
    return typeof report.atMs === 'number' && Array.isArray(report.parts) ? report : undefined;
  } catch {
    return undefined;
  }
}

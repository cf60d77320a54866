/**
 * The newest report of every process that runs the pipeline, for the process that answers people. Reports are worth nothing after a
 * minute: they need not survive a crash, but one that is read is whole.
 */
import type { ProcessReport } from '../model/health/part-report.ts';
import type { LastBackup } from './backup.ts';

export interface StoreSize {
  readonly name: string;
  readonly bytes: number;
  /** There are more files than were counted. */
  readonly isPartial: boolean;
}

export interface KnownBackup {
  readonly last: LastBackup | undefined;
  readonly dataSinceMs: number;
}

export interface HealthStore {
  /** Replaces the report of the same process. */
  saveReport(report: ProcessReport): Promise<void>;

  /** In the order of the processes' start. */
  listReports(): Promise<readonly ProcessReport[]>;

  /** What each store occupies on disk or in the database, largest first; found anew now and then. */
  listSizes(): Promise<readonly StoreSize[]>;

  /**
   * The last backup, and since when there are data in this directory. Undefined where the data are not in one: a database server and an object
   * store are backed up with their own tools, and whether they were is not known here.
   */
  findBackup(): Promise<KnownBackup | undefined>;

  /** Of a process that stops in good order. */
  removeReport(process: string): Promise<void>;

  /** Removes those of before a time: of processes that were killed. */
  removeReportsBefore(beforeMs: number): Promise<void>;
}

/** Reports of processes as rows, and the sizes of tables. Objects in S3 are not in these sizes. */
import { minuteMs } from '../../../model/durations.ts';
import type { ProcessReport } from '../../../model/health/part-report.ts';
import type { HealthStore, StoreSize } from '../../health-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { measureTables } from './measure-tables.ts';

/** Far more processes than a cluster has. */
const reportsMax = 1000;
const measureMs = 5 * minuteMs;

export function openHealthStore(database: PostgresDatabase): HealthStore {
  let measured: { readonly atMs: number; readonly sizes: Promise<readonly StoreSize[]> } | undefined;
  return {
    async saveReport(report) {
      const { process, startedMs, atMs } = report;
      await database.read(
        (sql) => sql`
          insert into process_report (process, started_ms, at_ms, report)
          values (${process}, ${startedMs}, ${atMs}, ${JSON.stringify(report)})
          on conflict (process) do update
          set started_ms = excluded.started_ms, at_ms = excluded.at_ms, report = excluded.report`,
      );
    },

    async listReports() {
      const rows = await database.read(
        (sql) => sql<{ report: string }[]>`
          select report from process_report order by started_ms, process limit ${reportsMax}`,
      );
      return rows.map(({ report }) => JSON.parse(report) as ProcessReport);
    },

    listSizes() {
      const nowMs = performance.now();
      if (!measured || nowMs - measured.atMs > measureMs)
        measured = { atMs: nowMs, sizes: measureTables(database) };
      measured.sizes.catch(() => {
        measured = undefined;
      });
      return measured.sizes;
    },

    findBackup: async () => undefined,

    async removeReport(process) {
      await database.read((sql) => sql`delete from process_report where process = ${process}`);
    },

    async removeReportsBefore(beforeMs) {
      await database.read((sql) => sql`delete from process_report where at_ms < ${beforeMs}`);
    },
  };
}

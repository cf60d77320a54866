/** The report of a period, for those who own a brand and for those who protect it. */
import { dayMs, hourMs } from '../../../model/durations.ts';
import {
  type PeriodReport,
  type ReportNeeds,
  reportPeriod,
} from '../../../product/detect/report/period-report.ts';
import { findPictures, type PictureNeeds } from '../../../product/screenshot/picture-state.ts';
import type { MonitorStore } from '../../../store/monitor-store.ts';
import { pictureView } from '../domain/picture-view.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { isoTime } from '../wire-values.ts';
import { ReportQuery, ReportView } from './report-wire.ts';

export interface ReportWebNeeds extends ReportNeeds, PictureNeeds {
  readonly monitors: Pick<MonitorStore, 'findMonitor'>;
}

export function reportWebOperations(needs: ReportWebNeeds): readonly WebOperation[] {
  return [
    defineWebOperation({
      method: 'GET',
      path: '/report',
      access: 'read',
      product: 'intel-detect-watched-domains',
      charge: 'page',
      summary: 'What was found, decided and blocked within a time',
      query: ReportQuery,
      answer: ReportView,
      handle: async ({ caller, query, nowMs }) => {
        const report = await reportPeriod(caller, query, needs, nowMs);
        const monitor = query.monitor && (await needs.monitors.findMonitor(caller.account.id, query.monitor));
        return {
          ...figuresOf(report),
          made_at: isoTime(nowMs),
          monitor: monitor ? monitor.term : null,
          blocked_domains: await blockedOf(report, needs),
        };
      },
    }),
  ];
}

function figuresOf(report: PeriodReport): Omit<ReportView, 'made_at' | 'monitor' | 'blocked_domains'> {
  const { found, decided, blocked, open, top, fromMs, toMs } = report;
  const values = (counted: readonly { readonly value: string; readonly domains: number }[]) =>
    counted.map(({ value, domains }) => ({ value, domains }));
  return {
    from: dayText(fromMs),
    to: dayText(toMs),
    found,
    decided,
    blocked,
    open,
    median_hours_to_decision: hours(report.medianMsToDecision),
    median_hours_to_block: hours(report.medianMsToBlock),
    days: report.days.map((day, index) => ({ at: dayText(fromMs + index * dayMs), ...day })),
    classes: top.class.map(({ value, domains }) => ({ class: value, domains })),
    tlds: values(top.tld),
    registrars: values(top.registrar),
    countries: values(top.country),
    name_servers: values(top.name_server),
    networks: values(report.networks),
    networks_of: report.networksOf,
  };
}

async function blockedOf(
  { blockedDomains }: PeriodReport,
  needs: ReportWebNeeds,
): Promise<ReportView['blocked_domains']> {
  const names = blockedDomains.map(({ domain }) => domain);
  const pictures = await findPictures(names, needs);
  return blockedDomains.map(({ id, domain, atMs }, index) => ({
    id,
    domain,
    at: isoTime(atMs),
    picture: pictureView(pictures[index] ?? { state: 'none' }),
  }));
}

const dayText = (ms: number): string => isoTime(ms).slice(0, 10);

const hours = (ms: number | undefined): number | null =>
  ms === undefined ? null : Math.round((ms / hourMs) * 10) / 10;

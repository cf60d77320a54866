/**
 * Names of feed archives and their files: `nod/2026-02-20/nod-20260220.1700-1800.json.gz` has one hour and
 * `daily_ip_risk/2026-02-20/daily_ip_risk-20260220.json.gz` one day. All times are UTC.
 */
import { minuteMs } from './durations.ts';
import { type FeedName, feedProducts } from './product-catalogue.ts';

export interface FeedArchive {
  readonly name: string;
  readonly feed: FeedName;
  /** The length of one file in minutes. */
  readonly spanMinutes: number;
}

/** Daily archives belong to the product of their feed. */
export const dailyArchives: Readonly<Record<string, FeedName>> = {
  daily_domain_discovery: 'domaindiscovery',
  daily_domain_hotlist: 'domainhotlist',
  daily_domain_risk: 'domainrisk',
  daily_ip_hotlist: 'iphotlist',
  daily_ip_risk: 'iprisk',
};

const hourMinutes = 60;
const dayMinutes = 1440;

export const feedArchives: readonly FeedArchive[] = [
  ...(Object.keys(feedProducts) as FeedName[]).map((feed) => ({
    name: feed,
    feed,
    spanMinutes: hourMinutes,
  })),
  ...Object.entries(dailyArchives).map(([name, feed]) => ({ name, feed, spanMinutes: dayMinutes })),
];

const fileForm =
  /^([a-z0-9_]{1,64})\/(\d{4}-\d\d-\d\d)\/([a-z0-9_]{1,64})-(\d{8})(?:\.(\d\d)00-\d\d00)?\.json\.gz$/;

/** The only valid form of a file name. Any other text never becomes a path. */
export function isArchiveFileName(text: string): boolean {
  const [, archive, day, again, digits] = fileForm.exec(text) ?? [];
  return archive !== undefined && archive === again && day?.replaceAll('-', '') === digits;
}

/** The file that starts with a minute. The last hour of a day ends at 2400. */
export function archiveFileName({ name, spanMinutes }: FeedArchive, fromMinute: number): string {
  const day = dayOf(fromMinute);
  const hour = Math.floor((fromMinute % dayMinutes) / hourMinutes);
  const hours = spanMinutes === hourMinutes ? `.${twoDigits(hour)}00-${twoDigits(hour + 1)}00` : '';
  return `${name}/${day}/${name}-${day.replaceAll('-', '')}${hours}.json.gz`;
}

/** The first minute of a file. */
export function firstMinuteOf(fileName: string): number {
  const [, , day = '', , , hour = '00'] = fileForm.exec(fileName) ?? [];
  return Date.parse(`${day}T${hour}:00:00Z`) / minuteMs;
}

/** `2026-02-20` */
export function dayOf(minute: number): string {
  return new Date(minute * minuteMs).toISOString().slice(0, 10);
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

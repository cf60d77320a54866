import { ago } from '../data/ago.ts';
import { usePreferences } from '../data/me.ts';
import { createStore, useStore } from '../data/store.ts';

const tickMs = 15_000;
/** One clock for all times of a page. */
const now = createStore(Date.now());
setInterval(() => now.set(Date.now()), tickMs);

/** Made once: making one takes longer than drawing a row. */
const format = (zone: { readonly timeZone?: string }) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long', ...zone });
const formats = { local: format({}), utc: format({ timeZone: 'UTC' }) } as const;

export function formatTime(iso: string, zone: 'local' | 'utc'): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : formats[zone].format(time);
}

/** How long ago; the exact time in the person's zone and in UTC on hover. */
export function Ago({ at, suffix = '' }: { at: string; suffix?: string }) {
  const { zone } = usePreferences();
  const nowMs = useStore(now);
  return (
    <time dateTime={at} title={`${formatTime(at, zone)}\n${at}`}>
      {ago(at, nowMs)}
      {suffix}
    </time>
  );
}

export function Moment({ at }: { at: string }) {
  const { zone } = usePreferences();
  return (
    <time dateTime={at} title={at}>
      {formatTime(at, zone)}
    </time>
  );
}

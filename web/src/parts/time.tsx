import type { PointerEvent } from 'react';
import { preferencesNow, usePreferences } from '../data/me.ts';
import { createStore, useStore } from '../data/store.ts';
import { timeWords } from '../words/parts.ts';

const tickMs = 15_000;
/** One clock for all times of a page. */
const now = createStore(Date.now());
setInterval(() => now.set(Date.now()), tickMs);

type Zone = 'local' | 'utc';

const formats: Partial<Record<Zone, Intl.DateTimeFormat>> = {};

/** Made when the first time is shown, and once: it takes longer than drawing a list. */
const formatOf = (zone: Zone): Intl.DateTimeFormat =>
  (formats[zone] ??= new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'long',
    ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
  }));

export function formatTime(iso: string, zone: Zone): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : formatOf(zone).format(time);
}

/** Only when it is pointed at: a list has hundreds of times, and each would be formatted for every frame. */
function explain({ currentTarget }: PointerEvent<HTMLTimeElement>): void {
  const at = currentTarget.dateTime;
  currentTarget.title = `${formatTime(at, preferencesNow().zone)}\n${at}`;
}

/** How long ago, in the largest unit that says enough. */
function ago(iso: string, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - Date.parse(iso)) / 1000);
  if (!Number.isFinite(seconds)) return '–';
  if (seconds < 90) return timeWords.seconds(Math.round(seconds));
  if (seconds < 5400) return timeWords.minutes(Math.round(seconds / 60));
  if (seconds < 172_800) return timeWords.hours(Math.round(seconds / 3600));
  return timeWords.days(Math.round(seconds / 86_400));
}

/** How long ago; the exact time in the person's zone and in UTC on hover. */
export function Ago({ at, suffix = '' }: { at: string; suffix?: string }) {
  const nowMs = useStore(now);
  return (
    <time dateTime={at} onPointerEnter={explain}>
      {ago(at, nowMs) + suffix}
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

/**
 * Reads the lists of known domains that the settings name, each in its own time, for as long as a server runs, and takes away what is no
 * longer believed. Lists of good and popular domains come first: what they name is not bad for one bad page.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../model/problem.ts';
import type { RiskStore } from '../../store/risk-store.ts';
import { repeat } from '../discovery/repeat.ts';
import type { ListSettings } from './find-changed-list.ts';
import { createKnownList, type KnownListNeeds, type ListCounts } from './known-list.ts';
import { isBadLabel } from './listed-name.ts';
import { eventsDirectory } from './misp/misp-feed.ts';

export interface KnownListsNeeds extends KnownListNeeds {
  readonly risks: KnownListNeeds['risks'] & Pick<RiskStore, 'keepLists' | 'removeExpired'>;
  readonly settings: KnownListNeeds['settings'] & { readonly lists: readonly ListSettings[] };
  /** Hears of what went wrong, and with which list; it is tried again. */
  readonly onFailure: (error: unknown, list: string) => void;
}

export interface KnownLists {
  /** All lists together. */
  statistics(): ListCounts & { readonly failures: number; readonly expired: number };
  byList(): Readonly<Record<string, ListCounts & { readonly failures: number }>>;
  close(): Promise<void>;
}

const everyMinutesUnlessGiven = 60;
const minuteMs = 60_000;
/** A timer that is set for longer goes off at once. */
const timerMsMax = 2 ** 31 - 1;
const expiredInStep = 1000;
/** Longer than this nobody waits for lists of good domains. */
const goodFirstMs = 60_000;

export function startKnownLists(needs: KnownListsNeeds): KnownLists {
  const { risks, clock } = needs;
  const settings = listsOf(needs);
  const stopping = new AbortController();
  const { signal } = stopping;
  let expired = 0;

  const begin = (entry: ListSettings, turn: Promise<unknown>) => {
    const reader = createKnownList(entry, needs);
    const first = Promise.withResolvers<void>();
    let failures = 0;
    const work = turn.then(() =>
      repeat(() => reader.advance(signal).finally(first.resolve), {
        everyMs: Math.min((entry.everyMinutes ?? everyMinutesUnlessGiven) * minuteMs, timerMsMax),
        signal,
        onFailure: (error) => {
          failures += 1;
          needs.onFailure(error, entry.name);
        },
      }),
    );
    const statistics = () => ({ ...reader.statistics(), failures });
    return { name: entry.name, first: first.promise, work, statistics };
  };

  const good = settings.filter(({ label }) => !isBadLabel(label)).map((one) => begin(one, Promise.resolve()));
  const goodRead = inTime(Promise.all(good.map(({ first }) => first)), signal);
  const bad = settings.filter(({ label }) => isBadLabel(label)).map((one) => begin(one, goodRead));
  const lists = [...good, ...bad];

  let isTidy = false;
  const tidy = async () => {
    if (!isTidy) await forgetOthers(needs);
    isTidy = true;
    for (let gone = expiredInStep; gone === expiredInStep && !signal.aborted; expired += gone)
      gone = await risks.removeExpired(clock.now(), expiredInStep);
  };
  const tidying = repeat(tidy, {
    everyMs: minuteMs,
    signal,
    onFailure: (error) => needs.onFailure(error, 'tidying up'),
  });

  const byList = () => Object.fromEntries(lists.map(({ name, statistics }) => [name, statistics()] as const));
  return {
    byList,
    statistics: () => {
      const sum = {
        readings: 0,
        unchanged: 0,
        doubted: 0,
        domains: 0,
        invalid: 0,
        hosts: 0,
        shared: 0,
        failures: 0,
      };
      for (const counts of Object.values(byList()))
        for (const kind of Object.keys(sum) as (keyof typeof sum)[]) sum[kind] += counts[kind];
      return { ...sum, expired };
    },
    close: async () => {
      stopping.abort();
      await Promise.all([tidying, ...lists.map(({ work }) => work)]);
    },
  };
}

/** Resolves with the work, with the signal, or when nobody waits for it any longer. */
async function inTime(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const waiting = pause(goodFirstMs, undefined, { signal: either, ref: false }).catch(() => undefined);
  await Promise.race([work, waiting]);
  done.abort();
}

/** Under one name there is one list: each would take away what the other names. */
function listsOf({ settings, onFailure }: KnownListsNeeds): readonly ListSettings[] {
  const byName = Map.groupBy(settings.lists, ({ name }) => name);
  for (const [name, { length }] of byName)
    if (length > 1)
      onFailure(
        new Problem('invalid-parameters', `risk.lists has ${length} lists of this name; the first is read`),
        name,
      );
  return [...byName.values()].flatMap((same) => same.slice(0, 1));
}

/** Lists that the settings no longer name, and what was kept of their events. */
async function forgetOthers({ risks, directory, settings }: KnownListsNeeds): Promise<void> {
  await risks.keepLists(settings.lists.map(({ name }) => name));
  const kept = new Set(settings.lists.map(({ name }) => eventsDirectory(directory, name)));
  const found = await readdir(directory).catch(() => []);
  for (const name of found) {
    const path = join(directory, name);
    if (name.startsWith('misp-') && !kept.has(path)) await rm(path, { recursive: true, force: true });
  }
}

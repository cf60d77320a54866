/**
 * Reads the configured reputation lists while the server runs, each at its own interval, and removes expired entries. Lists of good and popular
 * domains are read first: a domain on one of them is not bad because of one bad page.
 */
import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListSettings } from '../collect/reputation-lists/find-changed-list.ts';
import { isBadLabel } from '../collect/reputation-lists/listed-name.ts';
import { eventsDirectory } from '../collect/reputation-lists/misp/misp-feed.ts';
import {
  createReputationList,
  type ListCounts,
  type ReputationListNeeds,
} from '../collect/reputation-lists/reputation-list.ts';
import { settlesWithin } from '../concurrency/deadline.ts';
import { repeat } from '../concurrency/repeat.ts';
import { minuteMs } from '../model/durations.ts';
import { Problem } from '../model/problem.ts';
import type { FreeSpace } from '../store/free-space.ts';
import type { LeaseStore } from '../store/lease/lease-store.ts';
import type { RiskStore } from '../store/risk-store.ts';
import { type HeldLease, workExclusively } from './exclusive-work.ts';
import type { HealthReporter } from './health/health-reporter.ts';

export interface ReputationListsNeeds extends ReputationListNeeds {
  /** Nothing is begun while disk space is low. */
  readonly freeSpace?: Pick<FreeSpace, 'hasRoom'>;
  readonly risks: ReputationListNeeds['risks'] & Pick<RiskStore, 'removeListsExcept' | 'removeExpired'>;
  /** Only one worker reads a list at a time. */
  readonly leases: Pick<LeaseStore, 'acquireLease' | 'releaseLease'>;
  readonly settings: { readonly lists: readonly ListSettings[] };
  readonly health: Pick<HealthReporter, 'part'>;
  /** Error callback with the name of the list; reading is retried. */
  readonly onFailure: (error: unknown, list: string) => void;
}

export interface ReputationLists {
  /** Sums over all lists. */
  statistics(): ListCounts & { readonly failures: number; readonly expired: number };
  byList(): Readonly<Record<string, ListCounts & { readonly failures: number }>>;
  close(): Promise<void>;
}

const usualEveryMinutes = 60;
/** Longer timers fire immediately. */
const timerMsMax = 2 ** 31 - 1;
const expiredBatch = 1000;
/** How long the bad lists wait for the first reading of the good ones. */
const goodFirstMs = minuteMs;

/** Why a list that works has no figures here. */
const readByAnother = 'another worker reads it';

export function startReputationLists(needs: ReputationListsNeeds): ReputationLists {
  const { risks, leases, clock } = needs;
  const holder = randomUUID();
  const settings = listsOf(needs);
  const stopping = new AbortController();
  const { signal } = stopping;
  let expired = 0;

  const begin = (entry: ListSettings, ready: Promise<unknown>) => {
    const reader = createReputationList(entry, needs);
    const first = Promise.withResolvers<void>();
    let failures = 0;
    const everyMs = Math.min((entry.everyMinutes ?? usualEveryMinutes) * minuteMs, timerMsMax);
    const { name } = entry;
    const part = needs.health.part({ kind: 'list', name, unit: 'domains', everyMs, off: readByAnother });
    const onFailure = (error: unknown) => needs.onFailure(error, name);
    const readRepeatedly = async ({ signal: until }: HeldLease) => {
      part.off = undefined;
      const read = async () => {
        const before = reader.statistics().domains;
        await reader.poll(until).finally(first.resolve);
        part.succeed(Math.max(0, reader.statistics().domains - before));
      };
      await repeat(read, {
        everyMs,
        signal: until,
        isPaused: () => needs.freeSpace?.hasRoom() === false,
        onFailure: (error) => {
          failures += 1;
          part.fail(error);
          onFailure(error);
        },
      });
      part.off = readByAnother;
    };
    const work = ready.then(() =>
      workExclusively(`list ${name}`, { leases, clock, holder, signal, onFailure }, readRepeatedly),
    );
    const statistics = () => ({ ...reader.statistics(), failures });
    return { name, first: first.promise, work, statistics };
  };

  const good = settings.filter(({ label }) => !isBadLabel(label)).map((one) => begin(one, Promise.resolve()));
  const goodRead = settlesWithin(Promise.all(good.map(({ first }) => first)), goodFirstMs, signal);
  const bad = settings.filter(({ label }) => isBadLabel(label)).map((one) => begin(one, goodRead));
  const lists = [...good, ...bad];

  let isPruned = false;
  const cleanUp = async () => {
    if (!isPruned) await removeUnconfigured(needs);
    isPruned = true;
    for (let removed = expiredBatch; removed === expiredBatch && !signal.aborted; expired += removed)
      removed = await risks.removeExpired(clock.now(), expiredBatch);
  };
  const cleaning = repeat(cleanUp, {
    everyMs: minuteMs,
    signal,
    onFailure: (error) => needs.onFailure(error, 'clean-up'),
  });

  const byList = () => Object.fromEntries(lists.map(({ name, statistics }) => [name, statistics()] as const));
  return {
    byList,
    statistics: () => {
      const sum = {
        snapshots: 0,
        unchanged: 0,
        rejected: 0,
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
      await Promise.all([cleaning, ...lists.map(({ work }) => work)]);
    },
  };
}

/** Names must be unique: each list would remove the entries of the other. */
function listsOf({ settings, onFailure }: ReputationListsNeeds): readonly ListSettings[] {
  const byName = Map.groupBy(settings.lists, ({ name }) => name);
  for (const [name, { length }] of byName)
    if (length > 1)
      onFailure(
        new Problem('invalid-parameters', `risk.lists has ${length} lists of this name; the first is read`),
        name,
      );
  return [...byName.values()].flatMap((same) => same.slice(0, 1));
}

/** Removes lists that are no longer configured, and their downloaded events. */
async function removeUnconfigured({ risks, directory, settings }: ReputationListsNeeds): Promise<void> {
  await risks.removeListsExcept(settings.lists.map(({ name }) => name));
  const kept = new Set(settings.lists.map(({ name }) => eventsDirectory(directory, name)));
  const found = await readdir(directory).catch(() => []);
  for (const name of found) {
    const path = join(directory, name);
    if (name.startsWith('misp-') && !kept.has(path)) await rm(path, { recursive: true, force: true });
  }
}

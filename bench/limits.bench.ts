/**
 * Charges per second of the limits engine, against the least that a durable counter can cost: one UPDATE in a transaction of
 * its own on the same engine and disk. Then how the cost grows with ten times the width of a limit and ten times the
 * accounts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { type CountedLimit, perHour, perMinute } from '../src/model/account/limit.ts';
import { openUsageStore } from '../src/store/embedded/usage-store.ts';
import type { UsageStore } from '../src/store/usage-store.ts';

const charges = 20_000;
const together = 32;

export async function bench(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'nameglass-bench-'));
  const usage = openUsageStore(directory);
  try {
    const peer = bareCounter(directory);
    console.log(`bare UPDATE, one transaction each:        ${rate(peer)}`);
    const base = await chargeRate(usage, 'base', 1_000_000, 100);
    console.log(
      `two limits and a tally, ${together} at once:       ${rate(base)}, ${(base / peer).toFixed(2)} of the bare UPDATE`,
    );
    const wide = await chargeRate(usage, 'wide', 10_000_000, 100);
    console.log(
      `limits ten times as wide:                ${rate(wide)}, ${(wide / base).toFixed(2)} of that`,
    );
    const many = await chargeRate(usage, 'many', 1_000_000, 1000);
    console.log(
      `ten times the accounts:                  ${rate(many)}, ${(many / base).toFixed(2)} of that`,
    );
  } finally {
    await usage.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function rate(perSecond: number): string {
  return `${Math.round(perSecond).toLocaleString('en')}/s`.padStart(10);
}

function bareCounter(directory: string): number {
  const database = new Sqlite(join(directory, 'bare.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = normal');
  database.exec(
    'create table counter (id integer primary key, used integer not null); insert into counter values (1, 0)',
  );
  const raise = database.prepare('update counter set used = used + 1 where id = 1 and used < 1000000000');
  const started = performance.now();
  for (let done = 0; done < charges; done += 1) raise.run();
  const seconds = (performance.now() - started) / 1000;
  database.close();
  return charges / seconds;
}

async function chargeRate(usage: UsageStore, name: string, size: number, accounts: number): Promise<number> {
  let nowMs = Date.UTC(2026, 0, 1);
  const started = performance.now();
  for (let done = 0; done < charges; done += together) {
    nowMs += 1;
    const batch = Array.from({ length: together }, (_, index) => {
      const subject = `${name}:${(done + index) % accounts}`;
      const limits: CountedLimit[] = [perMinute(size), perHour(size)].map((limit) => ({ ...limit, subject }));
      return usage.charge({ limits, tally: { owner: subject, item: 'product' } }, nowMs);
    });
    const outcomes = await Promise.all(batch);
    if (outcomes.some((outcome) => !outcome.granted)) throw new Error('a draw was refused');
  }
  return charges / ((performance.now() - started) / 1000);
}

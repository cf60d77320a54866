/** Charges as one call of the function `usage_charge` (migrations/usage/0002-charge.sql), and its outcomes. */

import { reorderingMs } from '../../../concurrency/reordering.ts';
import { type CountedLimit, calendarWindow } from '../../../model/account/limit.ts';
import { tokenUsOf } from '../../usage/bucket-state.ts';
import { counterOf } from '../../usage/counter-of.ts';
import { periodsOf } from '../../usage/windows.ts';
import type { Charge, ChargeOutcome } from '../../usage-store.ts';
import type { PostgresDatabase } from '../postgres/database.ts';
import { CountedSlots } from './counted-slots.ts';
import type { Sender } from './sender.ts';

/** Charges per call, so that none waits long for the others. */
export const chargesMax = 500;

export interface TimedCharge {
  readonly charge: Charge;
  readonly nowMs: number;
}

export async function sendCharges(
  database: PostgresDatabase,
  sender: Sender,
  charges: readonly TimedCharge[],
): Promise<readonly ChargeOutcome[]> {
  const number = sender.nextNumber();
  const { slots, limits } = limitColumns(charges);
  const { tallies, texts } = sideColumns(charges);
  const rows = await database.read(
    (sql) => sql<{ outcome: readonly number[] }[]>`
      select usage_charge(${sender.id}, ${number}, ${reorderingMs},
        ${slots.counters}::text[], ${slots.kinds}::text[], ${slots.windows}::bigint[],
        ${limits.slots}::int[], ${limits.sizes}::bigint[], ${limits.amounts}::bigint[], ${limits.spans}::bigint[],
        ${charges.map(({ nowMs }) => nowMs)}::bigint[], ${charges.map(({ charge }) => charge.limits.length)}::int[],
        ${charges.map(({ charge }) => remainingIndex(charge))}::int[],
        ${tallies.charges}::int[], ${tallies.owners}::text[], ${tallies.items}::text[],
        ${tallies.days}::bigint[], ${tallies.months}::bigint[],
        ${texts.charges}::int[], ${texts.names}::text[], ${texts.texts}::text[]) as outcome`,
  );
  const outcome = rows[0]?.outcome ?? [];
  return charges.map(({ charge }, index) =>
    outcomeOf(charge, outcome[2 * index] as number, outcome[2 * index + 1] as number),
  );
}

function limitColumns(charges: readonly TimedCharge[]) {
  const slots = new CountedSlots();
  const limits = {
    slots: [] as number[],
    sizes: [] as number[],
    amounts: [] as number[],
    spans: [] as number[],
  };
  for (const { charge, nowMs } of charges) {
    for (const limit of charge.limits) {
      limits.slots.push(slots.indexOf(limit, nowMs));
      limits.sizes.push(limit.size);
      limits.amounts.push(limit.amount ?? 1);
      limits.spans.push(spanOf(limit, nowMs));
    }
  }
  return { slots, limits };
}

/** The length of a sliding window, the time of a token in microseconds, the end of a calendar window. */
function spanOf({ window }: CountedLimit, nowMs: number): number {
  if (window.kind === 'sliding') return window.seconds * 1000;
  if (window.kind === 'bucket') return tokenUsOf(window.perSecond);
  return window.kind === 'block' ? 0 : calendarWindow(window.period, nowMs).endMs;
}

/** Which of its limits a charge wants to know the rest of; 0 for none. */
function remainingIndex({ limits, remainingOf }: Charge): number {
  if (!remainingOf) return 0;
  const counter = counterOf(remainingOf);
  return limits.findIndex((limit) => limit === remainingOf || counterOf(limit) === counter) + 1;
}

/** What is counted or stored besides if a charge is granted. */
function sideColumns(charges: readonly TimedCharge[]) {
  const tallies = {
    charges: [] as number[],
    owners: [] as string[],
    items: [] as string[],
    days: [] as number[],
    months: [] as number[],
  };
  const texts = { charges: [] as number[], names: [] as string[], texts: [] as string[] };
  for (const [index, { charge, nowMs }] of charges.entries()) {
    if (charge.tally) {
      const { dayMs, monthMs } = periodsOf(nowMs);
      tallies.charges.push(index + 1);
      tallies.owners.push(charge.tally.owner);
      tallies.items.push(charge.tally.item);
      tallies.days.push(dayMs);
      tallies.months.push(monthMs);
    }
    if (charge.savedText) {
      texts.charges.push(index + 1);
      texts.names.push(charge.savedText.name);
      texts.texts.push(JSON.stringify(charge.savedText.text));
    }
  }
  return { tallies, texts };
}

function outcomeOf(charge: Charge, refused: number, amount: number): ChargeOutcome {
  if (refused === 0) return amount < 0 ? { granted: true } : { granted: true, remaining: amount };
  const refusedBy = charge.limits[refused - 1] as CountedLimit;
  return amount < 0 ? { granted: false, refusedBy } : { granted: false, refusedBy, retryAfterMs: amount };
}

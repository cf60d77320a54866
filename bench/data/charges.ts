/** Charges of two limits and a tally, as a request of the API makes them. */
import { type CountedLimit, perHour, perMinute } from '../../src/model/account/limit.ts';
import type { UsageStore } from '../../src/store/usage-store.ts';

export interface Charges {
  readonly name: string;
  readonly width: number;
  readonly accounts: number;
  readonly count: number;
  /** Charges that are made at once. */
  readonly together: number;
}

/** Throws where one is refused. */
export async function chargeAll(usage: UsageStore, charges: Charges): Promise<void> {
  const { name, width, accounts, count, together } = charges;
  let nowMs = Date.UTC(2026, 0, 1);
  for (let done = 0; done < count; done += together) {
    nowMs += 1;
    const batch = Array.from({ length: together }, (_, index) => {
      const subject = `${name}:${(done + index) % accounts}`;
      const limits: CountedLimit[] = [perMinute(width), perHour(width)].map((limit) => ({
        ...limit,
        subject,
      }));
      return usage.charge({ limits, tally: { owner: subject, item: 'product' } }, nowMs);
    });
    const outcomes = await Promise.all(batch);
    if (outcomes.some((outcome) => !outcome.granted)) throw new Error('a charge was refused');
  }
}

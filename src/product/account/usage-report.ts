/** What an account uses: each product against its limits, and the requests of the last days by product and by user. */
import { type Account, type Caller, isWithdrawn } from '../../model/account/account.ts';
import { type CountedLimit, calendarWindow, dayPeriod } from '../../model/account/limit.ts';
import { pdnsLimits } from '../../model/account/pdns-limits.ts';
import { type Projection, projectMonth } from '../../model/account/usage-projection.ts';
import type { Clock } from '../../model/clock.ts';
import { dayMs } from '../../model/durations.ts';
import { countableLimits, limitsOf, type ProductId } from '../../model/product-catalogue.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { AccountStore } from '../../store/account-store.ts';
import type { DailyUse, Tally, UsageStore } from '../../store/usage-store.ts';
import { usageOwner } from './product-limits.ts';

export interface UsageReportNeeds {
  readonly accounts: Pick<AccountStore, 'listUsers'>;
  readonly usage: Pick<UsageStore, 'talliesOf' | 'remainingOf' | 'dailyUses'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'limits'>;
}

export interface LimitState {
  /** `minute`, `hour`, `month`, `absolute`, … */
  readonly window: string;
  readonly size: number;
  readonly used: number;
  /** When a calendar window starts again; left out for sliding windows, which free up one request after another, and blocks. */
  readonly resetsMs?: number;
}

export interface ProductUse {
  readonly product: ProductId;
  readonly limits: readonly LimitState[];
  readonly tally: Tally;
  readonly days: readonly number[];
  readonly projection?: Projection;
  readonly expirationDate?: string;
}

export interface SeriesOf {
  readonly name: string;
  readonly days: readonly number[];
}

export interface PdnsUse {
  readonly username: string;
  /** Left out for a key without a limit. */
  readonly limit?: LimitState;
  readonly expiresMs?: number;
}

export interface UsageReport {
  /** The first millisecond of each UTC day, today last. */
  readonly days: readonly number[];
  readonly products: readonly ProductUse[];
  /** What no product stands for: `pdns`, `batch`, `free`. */
  readonly others: readonly SeriesOf[];
  /** An empty name: by whom was not recorded then. */
  readonly users: readonly SeriesOf[];
  readonly pdns: readonly PdnsUse[];
}

const none: Tally = { today: 0, month: 0 };
const usersListedMax = 10_000;

export async function reportUsage(
  { account }: Caller,
  daysShown: number,
  needs: UsageReportNeeds,
): Promise<UsageReport> {
  const nowMs = needs.clock.now();
  const today = calendarWindow(dayPeriod, nowMs).startMs;
  const days = Array.from({ length: daysShown }, (_, index) => today - (daysShown - 1 - index) * dayMs);
  const uses = await needs.usage.dailyUses(account.id, days[0] ?? today);
  const byItem = seriesBy('item', uses, days);
  const tallies = await needs.usage.talliesOf(usageOwner(account), nowMs);
  const products: ProductUse[] = [];
  for (const { product, expirationDate } of account.products) {
    const limits = await limitsIn(account, product, needs, nowMs);
    const tally = tallies.get(product) ?? none;
    const series = byItem.get(product) ?? days.map(() => 0);
    const limit = limits.find(({ window }) => window === 'month')?.size;
    const projection = projectMonth(tally.month, series, { limit, nowMs });
    products.push({
      product,
      limits,
      tally,
      days: series,
      ...(projection ? { projection } : {}),
      ...(expirationDate === undefined ? {} : { expirationDate }),
    });
    byItem.delete(product);
  }
  return {
    days,
    products,
    others: namedSeries(byItem),
    users: namedSeries(seriesBy('username', uses, days)),
    pdns: await pdnsUses(account, needs, nowMs),
  };
}

/** Requests of each day, the oldest first, by the values of one column. */
export function seriesBy(
  column: 'item' | 'username',
  uses: readonly DailyUse[],
  days: readonly number[],
): Map<string, number[]> {
  const at = new Map(days.map((day, index) => [day, index]));
  const series = new Map<string, number[]>();
  for (const use of uses) {
    const index = at.get(use.dayMs);
    if (index === undefined) continue;
    const counts = series.get(use[column]) ?? days.map(() => 0);
    counts[index] = (counts[index] ?? 0) + use.used;
    series.set(use[column], counts);
  }
  return series;
}

/** Those with most requests first. */
function namedSeries(series: ReadonlyMap<string, number[]>): SeriesOf[] {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return [...series]
    .map(([name, counts]) => ({ name, days: counts }))
    .sort((left, right) => sum(right.days) - sum(left.days) || left.name.localeCompare(right.name));
}

async function limitsIn(
  account: Account,
  product: ProductId,
  { usage, settings }: UsageReportNeeds,
  nowMs: number,
): Promise<LimitState[]> {
  const grant = account.products.find((one) => one.product === product) ?? { product };
  const subject = `${usageOwner(account)}/${product}`;
  const limits = countableLimits(limitsOf(grant, settings)).map((limit) => ({ ...limit, subject }));
  return statesOf(limits, usage, nowMs);
}

async function statesOf(
  limits: readonly CountedLimit[],
  usage: Pick<UsageStore, 'remainingOf'>,
  nowMs: number,
): Promise<LimitState[]> {
  const remaining = await usage.remainingOf(limits, nowMs);
  return limits.map(({ name, size, window }, index) => ({
    window: name,
    size,
    used: size - (remaining[index] ?? size),
    ...(window.kind === 'calendar' ? { resetsMs: calendarWindow(window.period, nowMs).endMs } : {}),
  }));
}

/** The keys with passive DNS of their own; those that share another's grant draw on that one. */
async function pdnsUses(
  account: Account,
  { accounts, usage }: UsageReportNeeds,
  nowMs: number,
): Promise<PdnsUse[]> {
  if (isWithdrawn(account, 'pdns')) return [];
  const users = await accounts.listUsers({ accountId: account.id, limit: usersListedMax });
  const holders = users.filter(({ user }) => user.pdns && user.pdns.countedWith === undefined);
  const uses: PdnsUse[] = [];
  for (const { user } of holders) {
    const { username, pdns } = user;
    const limits = pdns && pdns.quota.type !== 'unlimited' ? pdnsLimits(user, pdns).slice(0, 1) : [];
    const [limit] = await statesOf(limits, usage, nowMs);
    uses.push({
      username,
      ...(limit ? { limit: { ...limit, window: 'quota' } } : {}),
      ...(pdns?.quota.type === 'block' ? { expiresMs: pdns.quota.expiresMs } : {}),
    });
  }
  return uses;
}

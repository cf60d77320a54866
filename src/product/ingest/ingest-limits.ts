/** How much an account may append over HTTP: requests a minute and bytes an hour, whichever of its users sends them. */
import type { Account } from '../../model/account/account.ts';
import { perMinute, perUtcHour } from '../../model/account/limit.ts';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import type { UsageStore } from '../../store/usage-store.ts';

export interface IngestLimitNeeds {
  readonly usage: Pick<UsageStore, 'charge'>;
  readonly settings: Pick<Settings, 'limits'>;
}

/** Counts the request, or throws `limit-exceeded` and counts nothing. */
export async function chargeIngest(
  account: Account,
  bytes: number,
  { usage, settings }: IngestLimitNeeds,
  nowMs: number,
): Promise<void> {
  const { requestsPerMinute, bytesPerHour } = settings.limits.ingest;
  const subject = `account:${account.id}/ingest`;
  const byteLimit = { ...perUtcHour('bytes', bytesPerHour), subject, amount: bytes };
  const outcome = await usage.charge(
    { limits: [{ ...perMinute(requestsPerMinute), subject }, byteLimit] },
    nowMs,
  );
  if (outcome.granted) return;
  const inBytes = outcome.refusedBy.name === byteLimit.name;
  const [size, window] = inBytes ? [bytesPerHour, 'hour'] : [requestsPerMinute, 'minute'];
  const retry =
    outcome.retryAfterMs === undefined
      ? {}
      : { retryAfterSeconds: Math.max(1, Math.ceil(outcome.retryAfterMs / 1000)) };
  throw new Problem(
    'limit-exceeded',
    `The limit of ingest is reached: ${size} ${inBytes ? 'bytes' : 'requests'} per ${window}.`,
    { limit: { product: 'ingest', size, window, ...retry } },
  );
}

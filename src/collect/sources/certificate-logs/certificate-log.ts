/**
 * A log of certificates as a source of names. Its head says how far to read; pages are fetched some at once and taken in their order, so
 * that the place is always behind everything that was taken. A log that has shrunk is told of and not followed.
 */
import type { Clock } from '../../../model/clock.ts';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings.ts';
import type { Dialer } from '../../../outgoing/guarded-dialer.ts';
import type { NameIntake, NameSource } from '../source.ts';
import { fetchInOrder } from './fetch-in-order.ts';
import type { LogClient } from './log-client.ts';
import { getLogKey } from './log-head.ts';
import type { LogPage } from './log-page.ts';
import type { PageReader } from './page-reader.ts';
import { rfc6962Log } from './rfc6962-log.ts';
import { staticLog } from './static-log.ts';

export interface CertificateLogNeeds {
  readonly dialer: Pick<Dialer, 'send'>;
  /** One for all logs: a certificate that is in several of them counts once. */
  readonly pages: Pick<PageReader, 'read'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'sources' | 'collect'>;
}

type LogSettings = Settings['sources']['certificateLogs'][number];

/** Throws the Problem `invalid-parameters` for a key that is none. */
export function createCertificateLogSource(log: LogSettings, needs: CertificateLogNeeds): NameSource {
  const name = `ct:${log.name}`;
  const client = clientOf(log, needs);
  const counts = { entries: 0, certificates: 0, malformed: 0, lag: 0 };

  const begin = async (intake: NameIntake, headSize: number): Promise<number> => {
    const place = await intake.findPlace(name);
    if (place !== undefined) return Number(place);
    const start = log.from === 'start' ? 0 : headSize;
    await intake.take(name, { names: [], seenMs: needs.clock.now(), place: String(start) });
    return start;
  };

  const take = async (intake: NameIntake, page: LogPage, next: number): Promise<void> => {
    const nowMs = needs.clock.now();
    // The time is the log's own word.
    const seenMs = page.timestampMs > 0 ? Math.min(page.timestampMs, nowMs) : nowMs;
    await intake.take(name, { names: page.names, seenMs, place: String(next) });
    counts.entries += page.entries;
    counts.certificates += page.certificates;
    counts.malformed += page.malformed;
  };

  return {
    name,
    everyMs: needs.settings.sources.pollSeconds * 1000,
    statistics: () => ({ ...counts }),
    async advance(intake, signal) {
      const { size } = await client.getHead(signal);
      let next = await begin(intake, size);
      if (size < next)
        throw new Problem('unavailable', `${name} has shrunk: it had ${next} entries and says ${size}`);
      counts.lag = size - next;
      for await (const page of fetchInOrder(client, next, size, signal)) {
        next += page.entries;
        await take(intake, page, next);
        counts.lag = size - next;
        if (signal.aborted) return;
      }
    },
  };
}

function clientOf(log: LogSettings, { dialer, pages, settings }: CertificateLogNeeds): LogClient {
  const key = log.publicKey === undefined ? undefined : getLogKey(log.publicKey);
  const needs = { dialer, pages, url: log.url, key, userAgent: settings.collect.userAgent };
  return log.kind === 'static' ? staticLog(needs) : rfc6962Log(needs);
}

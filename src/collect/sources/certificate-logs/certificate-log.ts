/**
 * A Certificate Transparency log as a source of names. Reads from the checkpoint up to the signed tree head. Pages are fetched
 * concurrently and ingested in order, so the checkpoint never passes an entry that was not ingested. A log that shrank is reported
 * and not read.
 */
import type { Clock } from '../../../model/clock.ts';
import { Problem } from '../../../model/problem.ts';
import type { Settings } from '../../../model/settings/settings.ts';
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
  /** Shared by all logs, so that a certificate in several of them counts once. */
  readonly pages: Pick<PageReader, 'read'>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'sources' | 'collect'>;
}

type LogSettings = Settings['sources']['certificateLogs'][number];

/** Throws the Problem `invalid-parameters` for an invalid public key. */
export function createCertificateLogSource(log: LogSettings, needs: CertificateLogNeeds): NameSource {
  const name = `ct:${log.name}`;
  const client = createLogClient(log, needs);
  const counts = { entries: 0, certificates: 0, malformed: 0, lag: 0 };

  const findStart = async (intake: NameIntake, headSize: number): Promise<number> => {
    const checkpoint = await intake.findCheckpoint(name);
    if (checkpoint !== undefined) return Number(checkpoint);
    const start = log.from === 'start' ? 0 : headSize;
    await intake.ingest(name, { names: [], seenMs: needs.clock.now(), checkpoint: String(start) });
    return start;
  };

  const ingestPage = async (intake: NameIntake, page: LogPage, next: number): Promise<void> => {
    const nowMs = needs.clock.now();
    // The log's own timestamp is untrusted, so it is capped at now.
    const seenMs = page.timestampMs > 0 ? Math.min(page.timestampMs, nowMs) : nowMs;
    await intake.ingest(name, { names: page.names, seenMs, checkpoint: String(next) });
    counts.entries += page.entries;
    counts.certificates += page.certificates;
    counts.malformed += page.malformed;
  };

  return {
    name,
    everyMs: needs.settings.sources.pollSeconds * 1000,
    statistics: () => ({ ...counts }),
    async poll(intake, signal) {
      const { size } = await client.getHead(signal);
      let next = await findStart(intake, size);
      if (size < next) throw new Problem('unavailable', `${name} has shrunk from ${next} entries to ${size}`);
      counts.lag = size - next;
      for await (const page of fetchInOrder(client, { from: next, to: size, headSize: size, signal })) {
        next += page.entries;
        await ingestPage(intake, page, next);
        counts.lag = size - next;
        if (signal.aborted) return;
      }
    },
  };
}

/** Throws as `createCertificateLogSource` does. */
export function createLogClient(
  log: LogSettings,
  { dialer, pages, settings }: Omit<CertificateLogNeeds, 'clock'>,
): LogClient {
  const key = log.publicKey === undefined ? undefined : getLogKey(log.publicKey);
  const needs = { dialer, pages, url: log.url, key, userAgent: settings.collect.userAgent };
  return log.kind === 'static' ? staticLog(needs) : rfc6962Log(needs);
}

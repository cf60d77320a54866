/** The sensor of passive DNS: listens for dnstap from resolvers. */
import type { Logger } from 'pino';
import type { DnstapEvent, DnstapListener } from '../collect/dnstap/listener.ts';
import type { StageNeeds } from './pipeline-needs.ts';

/** Undefined unless the settings ask for it. */
export async function startSensor(needs: StageNeeds): Promise<DnstapListener | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
  const { rrsets, streams } = stores;
  const { dnstap, pdns, role } = settings;
  if (role === 'api' || (dnstap.socket === '' && dnstap.port === 0)) return undefined;
  const { listenDnstap } = await import('../collect/dnstap/listener.ts');
  const { pausedIntake } = await import('../collect/dnstap/paused-intake.ts');
  const { foldingIntake } = await import('../collect/wildcard-folding.ts');
  const { openErrorIntake } = await import('../collect/dns-errors/error-intake.ts');
  const stopping = new AbortController();
  const opened = await rrsets.openIntake({ publish: true });
  const intake = pausedIntake(opened, stores.freeSpace, stopping.signal);
  const { socket, host, port, kinds, flushSeconds, connectionsMax } = dnstap;
  const name = socket === '' ? `dnstap ${host}:${port}` : `dnstap ${socket}`;
  const part = needs.health.part({ kind: 'sensor', name, unit: 'frames' });
  const listener = await listenDnstap(
    {
      ...(socket === '' ? {} : { unixPath: socket }),
      ...(port === 0 ? {} : { host, port }),
      kinds,
      flushSeconds,
      connectionsMax,
    },
    {
      intake: pdns.foldWildcards ? foldingIntake(intake) : intake,
      errors: await openErrorIntake({ streams, clock, settings }),
      clock,
      report: (event) => {
        if (event.event === 'failed') part.fail(event.error);
        logDnstap(logger, event);
      },
    },
  );
  part.countBy(() => listener.statistics().frames);
  metrics.watch('nameglass_dnstap', 'Frames and observations received over dnstap.', () => ({
    ...listener.statistics(),
  }));
  return {
    port: listener.port,
    statistics: () => listener.statistics(),
    close: () => {
      stopping.abort();
      return listener.close();
    },
  };
}

function logDnstap(logger: Logger, event: DnstapEvent): void {
  if (event.event === 'failed') logger.error({ err: event.error }, 'dnstap: failed');
  else if (event.event === 'refused' || event.event === 'malformed-frame') {
    logger.warn({ ...event, event: undefined }, `dnstap: ${event.event}`);
  } else logger.info({ ...event, event: undefined }, `dnstap: ${event.event}`);
}

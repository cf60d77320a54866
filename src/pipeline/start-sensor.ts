/** The sensor of passive DNS: listens for dnstap from resolvers. */
import { networkInterfaces } from 'node:os';
import type { Logger } from 'pino';
import type { ClientCounter } from '../collect/dnstap/client-counter.ts';
import type { DnstapEvent, DnstapListener } from '../collect/dnstap/listener.ts';
import type { StageNeeds } from './pipeline-needs.ts';

/** Undefined unless the settings ask for it. */
export async function startSensor(needs: StageNeeds): Promise<DnstapListener | undefined> {
  const { settings, stores, logger, metrics, clock } = needs;
  const { rrsets, streams } = stores;
  const { dnstap, pdns, role } = settings;
  // What was counted before it was disabled is not shown any more.
  if (role !== 'api' && !settings.sightings.distinctClients) await stores.sightings.forgetClients();
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
  const clients = settings.sightings.distinctClients
    ? await openClientCounter(needs, (error) => part.fail(error))
    : undefined;
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
      clients,
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
    close: async () => {
      stopping.abort();
      await listener.close();
      await clients?.close();
    },
  };
}

async function openClientCounter(
  { settings, stores, clock }: StageNeeds,
  onFailure: (error: unknown) => void,
): Promise<ClientCounter> {
  const { ClientCounter: Counter } = await import('../collect/dnstap/client-counter.ts');
  const { ownClients } = await import('../collect/dnstap/own-clients.ts');
  const machine = Object.values(networkInterfaces()).flatMap((each = []) =>
    each.map(({ address }) => address),
  );
  const isOwn = ownClients(settings.sightings.ownClients, machine);
  return new Counter({ sightings: stores.sightings, clock, isOwn, onFailure });
}

function logDnstap(logger: Logger, event: DnstapEvent): void {
  if (event.event === 'failed') logger.error({ err: event.error }, 'dnstap: failed');
  else if (event.event === 'refused' || event.event === 'malformed-frame') {
    logger.warn({ ...event, event: undefined }, `dnstap: ${event.event}`);
  } else logger.info({ ...event, event: undefined }, `dnstap: ${event.event}`);
}

/** Serves blocklists as response policy zones: transfers over TCP, SOA over UDP, and notifications of secondaries. */
import type { Logger } from 'pino';
import { repeat } from '../concurrency/repeat.ts';
import type { Clock } from '../model/clock.ts';
import { zoneName } from '../model/detect/blocklist/zone-name.ts';
import { Problem } from '../model/problem.ts';
import type { Settings } from '../model/settings/settings.ts';
import { BlocklistFetches } from '../product/detect/blocklist/blocklist-fetches.ts';
import { refreshSoon } from '../product/detect/blocklist/refresh-soon.ts';
import { type SelectedTagNeeds, SelectedTags } from '../product/detect/blocklist/selected-tags.ts';
import type { BlocklistStore } from '../store/detect/blocklist-store.ts';
import type { EscalationStore } from '../store/escalation-store.ts';
import { type AnswerEvent, type AnswerNeeds, answerRequest } from './answer-request.ts';
import { Notifier } from './notifier.ts';
import { parseEndpoint } from './parse-endpoint.ts';
import { type PolicyZoneNeeds, PolicyZones } from './policy-zones.ts';
import { listenTcp, type TcpEndpoint } from './tcp-endpoint.ts';
import { TsigKeys } from './tsig-keys.ts';
import { listenUdp, type UdpEndpoint } from './udp-endpoint.ts';

export interface ZoneTransferNeeds extends PolicyZoneNeeds, Pick<SelectedTagNeeds, 'domains'> {
  readonly blocklists: PolicyZoneNeeds['blocklists'] &
    AnswerNeeds['blocklists'] &
    SelectedTagNeeds['blocklists'] &
    Pick<BlocklistStore, 'listUnrefreshed' | 'listSerials'>;
  readonly escalations: Pick<EscalationStore, 'recordBlocklistFetch'>;
  readonly settings: Pick<Settings, 'rpz' | 'detect'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export interface ZoneTransfer {
  readonly port: number;
  counts(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** Secondaries are notified within two seconds of a change. */
const pollMs = 500;

const refusalLogPauseMs = 5000;

/** The settings must have `rpz.listen`. */
export async function startZoneTransfer(needs: ZoneTransferNeeds): Promise<ZoneTransfer> {
  const { settings, clock, logger, blocklists } = needs;
  const { host, port } = parseEndpoint('rpz.listen', settings.rpz.listen);
  const keys = new TsigKeys(settings.rpz.keys);
  const zones = new PolicyZones(needs);
  const events = new TransferEvents(needs);
  const notifier = new Notifier({
    keys,
    settings,
    clock,
    onOutcome: (...given) => events.notified(...given),
  });
  const onFailure = (error: unknown) => logger.error({ err: error }, 'zone transfer: failed');
  const answering = {
    zones,
    keys,
    blocklists,
    settings,
    clock,
    report: (one: AnswerEvent) => events.add(one),
  };
  const answer = (bytes: Uint8Array, peer: Parameters<typeof answerRequest>[1]) =>
    answerRequest(bytes, peer, answering);
  const { tcp, udp } = await listen({ host, port }, settings, answer, onFailure);
  const stopping = new AbortController();
  const changes = new ChangedZones(needs, zones);
  const polling = repeat(
    async () => {
      for (const zone of await changes.read()) notifier.notify(zone);
    },
    { everyMs: pollMs, signal: stopping.signal, onFailure },
  );
  logger.info({ host, port: tcp.port }, 'zone transfer: listening');
  return {
    port: tcp.port,
    counts: () => ({ ...events.counts, connections: tcp.connections() }),
    async close() {
      stopping.abort();
      await polling;
      notifier.close();
      await Promise.all([tcp.close(), udp.close()]);
    },
  };
}

async function listen(
  { host, port }: { readonly host: string; readonly port: number },
  { rpz: { connectionsMax, idleSeconds } }: Pick<Settings, 'rpz'>,
  answer: (
    bytes: Uint8Array,
    peer: Parameters<typeof answerRequest>[1],
  ) => AsyncGenerator<Buffer, void, undefined>,
  onFailure: (error: unknown) => void,
): Promise<{ readonly tcp: TcpEndpoint; readonly udp: UdpEndpoint }> {
  let tcp: TcpEndpoint | undefined;
  try {
    tcp = await listenTcp({ host, port, connectionsMax, idleSeconds, answer, onFailure });
    // With port 0, the one that TCP was given.
    return { tcp, udp: await listenUdp({ host, port: tcp.port, answer, onFailure }) };
  } catch (error) {
    await tcp?.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') throw error;
    throw new Problem('unavailable', `rpz.listen: ${host} port ${port} cannot be used (${code})`, {
      cause: error,
    });
  }
}

/** Brings blocklists up to date, and finds those with another serial than last time. */
class ChangedZones {
  readonly #needs: ZoneTransferNeeds;
  readonly #zones: PolicyZones;
  readonly #tags: SelectedTags;
  readonly #serials = new Map<string, number>();

  constructor(needs: ZoneTransferNeeds, zones: PolicyZones) {
    this.#needs = needs;
    this.#zones = zones;
    this.#tags = new SelectedTags(needs);
  }

  async read() {
    const { blocklists, clock } = this.#needs;
    await this.#tags.sync(clock.now());
    const unrefreshed = await blocklists.listUnrefreshed();
    // A list of many names is filled in the background, and no other waits for it.
    await Promise.all(
      unrefreshed.map((accountId) => refreshSoon(blocklists, accountId, clock.now(), pollMs)),
    );
    const changed = [];
    for (const { accountId, selection, serial } of await blocklists.listSerials()) {
      const id = JSON.stringify([accountId, selection]);
      if (this.#serials.get(id) === serial) continue;
      this.#serials.set(id, serial);
      const account = await this.#zones.findAccount(accountId);
      if (account) changed.push({ name: zoneName(account, selection), account, serial });
    }
    return changed;
  }
}

class TransferEvents {
  readonly #needs: ZoneTransferNeeds;
  readonly #fetches: BlocklistFetches;
  #refusalLoggedMs = Number.NEGATIVE_INFINITY;
  readonly counts = { axfr: 0, ixfr: 0, refused: 0, notified: 0, unanswered: 0 };

  constructor(needs: ZoneTransferNeeds) {
    this.#needs = needs;
    this.#fetches = new BlocklistFetches(needs.escalations);
  }

  add(event: AnswerEvent): void {
    const { logger, clock } = this.#needs;
    const { address } = event.peer;
    if (event.event === 'refused') {
      this.counts.refused += 1;
      // Anybody can cause them, so all are counted, and few are logged.
      const nowMs = performance.now();
      if (nowMs - this.#refusalLoggedMs < refusalLogPauseMs) return;
      this.#refusalLoggedMs = nowMs;
      logger.warn({ address, reason: event.reason, refused: this.counts.refused }, 'zone transfer: refused');
      return;
    }
    const { kind, zone, keyName } = event;
    this.counts[kind] += 1;
    logger.info({ address, zone: zone.name, serial: zone.serial, kind, key: keyName }, 'zone transfer');
    this.#fetches.record(zone.account.id, {
      selection: zone.key.selection,
      format: 'transfer',
      address,
      agent: keyName === undefined ? '' : `key ${keyName}`,
      atMs: clock.now(),
      version: zone.serial,
    });
  }

  notified(outcome: 'answered' | 'unanswered', address: string, zone: string): void {
    this.counts[outcome === 'answered' ? 'notified' : 'unanswered'] += 1;
    if (outcome === 'unanswered')
      this.#needs.logger.warn({ address, zone }, 'zone transfer: a secondary does not answer NOTIFY');
  }
}

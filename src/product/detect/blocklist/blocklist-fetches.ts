/**
 * Records which clients fetch blocklists. A client that polls is written down once a minute, or when it gets a new version. A log that cannot be
 * written does not keep a resolver from its list.
 */
import { minuteMs } from '../../../model/durations.ts';
import { escapeForTerminal } from '../../../model/escape-for-terminal.ts';
import type { BlocklistFetch, EscalationStore } from '../../../store/escalation-store.ts';

const agentCharactersMax = 200;
/** Clients that are remembered; beyond that they are written down more often. */
const clientsMax = 1000;

export class BlocklistFetches {
  readonly #escalations: Pick<EscalationStore, 'recordBlocklistFetch'>;
  readonly #recorded = new Map<string, Pick<BlocklistFetch, 'atMs' | 'version'>>();

  constructor(escalations: Pick<EscalationStore, 'recordBlocklistFetch'>) {
    this.#escalations = escalations;
  }

  record(accountId: string, fetch: BlocklistFetch): void {
    const { selection, format, address, atMs, version } = fetch;
    const agent = escapeForTerminal(fetch.agent.toWellFormed()).slice(0, agentCharactersMax);
    const key = JSON.stringify([accountId, selection, format, address, agent]);
    const known = this.#recorded.get(key);
    if (known && known.version === version && Math.abs(atMs - known.atMs) < minuteMs) return;
    if (this.#recorded.size >= clientsMax) this.#recorded.clear();
    this.#recorded.set(key, { atMs, version });
    this.#escalations
      .recordBlocklistFetch(accountId, { ...fetch, agent })
      .catch(() => this.#recorded.delete(key));
  }
}

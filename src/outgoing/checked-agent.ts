/**
 * Keeps connections to HTTPS servers open for the next request. A connection is used again only for the same host and port, under the same rules for
 * certificates, and where the same addresses were checked: the one that it is connected to is among them.
 */
import { Agent, type RequestOptions } from 'node:https';

/** Less than servers usually wait for the next request. */
const idleMs = 4000;
const idleConnectionsMax = 32;

export interface CheckedOptions extends RequestOptions {
  readonly checkedAddresses: readonly string[];
}

export class CheckedAgent extends Agent {
  constructor() {
    super({ keepAlive: true, timeout: idleMs, maxFreeSockets: idleConnectionsMax });
  }

  override getName(options?: RequestOptions & Partial<Pick<CheckedOptions, 'checkedAddresses'>>): string {
    return `${super.getName(options)}:${options?.checkedAddresses?.join(' ') ?? ''}`;
  }
}

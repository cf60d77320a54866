/** A domain at the moment of its registration: owned, and not yet used. */
import type { ActorKind, Person, Registrar, WorldDomain } from '../world-domain.ts';
import { yearMs } from './life.ts';

export interface Registration {
  readonly name: string;
  readonly actor: ActorKind;
  readonly registeredMs: number;
  readonly registrar: Registrar;
  readonly registrant: Person | undefined;
  readonly nameServers: readonly string[];
  readonly soaEmail: string;
  readonly statuses?: readonly string[];
}

export function registration({ statuses, ...given }: Registration): WorldDomain {
  return {
    ...given,
    changedMs: given.registeredMs,
    expiresMs: given.registeredMs + yearMs,
    statuses: statuses ?? ['clientTransferProhibited'],
    addresses: [],
    mailServers: [],
    spf: undefined,
    site: undefined,
    certifiedMs: undefined,
    hosts: [],
    reportedMs: undefined,
  };
}

/** What becomes of a domain from its registration on: steps, each at its time, each making a new state out of the one before. */
import type { Site, WorldDomain, WorldEvent } from '../world-domain.ts';

export interface Step {
  readonly kind: Exclude<WorldEvent['kind'], 'registered'>;
  /** Since the registration. */
  readonly afterMs: number;
  /** Undefined: the domain is no more. */
  readonly change: (domain: WorldDomain, atMs: number) => WorldDomain | undefined;
}

export interface Life {
  /** At its registration. */
  readonly domain: WorldDomain;
  /** In the order of time. */
  readonly steps: readonly Step[];
}

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const yearMs = 365 * dayMs;

const certificateMs = 60 * dayMs;
const holdStatuses = ['clientHold', 'serverHold'];

export type Hosting = Pick<WorldDomain, 'addresses' | 'site'> &
  Partial<Pick<WorldDomain, 'mailServers' | 'spf'>>;

export function hosted(afterMs: number, hosting: Hosting): Step {
  return { kind: 'hosted', afterMs, change: (domain) => ({ ...domain, ...hosting }) };
}

/** With a certificate for these hosts besides the domain. */
export function certified(afterMs: number, labels: readonly string[]): Step {
  return {
    kind: 'certified',
    afterMs,
    change: (domain, atMs) => ({
      ...domain,
      certifiedMs: atMs,
      hosts: labels.map((label) => `${label}.${domain.name}`),
    }),
  };
}

export function armed(afterMs: number, site: Site): Step {
  return { kind: 'armed', afterMs, change: (domain) => ({ ...domain, site }) };
}

/** A victim, or an almost-victim, reports it. */
export function reported(afterMs: number): Step {
  return { kind: 'reported', afterMs, change: (domain, atMs) => ({ ...domain, reportedMs: atMs }) };
}

export function moved(afterMs: number, addresses: readonly string[]): Step {
  return { kind: 'moved', afterMs, change: (domain) => ({ ...domain, addresses }) };
}

/** Taken out of the zone by registrar and registry; it no longer resolves. */
export function takenDown(afterMs: number): Step {
  return {
    kind: 'taken-down',
    afterMs,
    change: (domain, atMs) => ({
      ...domain,
      statuses: [...domain.statuses.filter((status) => status !== 'ok'), ...holdStatuses],
      addresses: [],
      site: undefined,
      changedMs: atMs,
    }),
  };
}

export function dropped(afterMs: number): Step {
  return { kind: 'dropped', afterMs, change: () => undefined };
}

/** Whether the registry has taken it out of the zone. */
export function isHeld({ statuses }: WorldDomain): boolean {
  return statuses.some((status) => holdStatuses.includes(status));
}

/** The state of a life at a time, and the steps that are still to come; undefined: it is over. */
export function livedUntil({ domain, steps }: Life, nowMs: number): Life | undefined {
  let state = domain;
  const lived = steps.filter(({ afterMs }) => domain.registeredMs + afterMs <= nowMs);
  for (const { afterMs, change } of lived) {
    const next = change(state, domain.registeredMs + afterMs);
    if (!next) return undefined;
    state = next;
  }
  return { domain: renewed(state, nowMs), steps: steps.slice(lived.length) };
}

/** What has grown old was renewed in time: the registration every year, the certificate every sixty days. */
function renewed(domain: WorldDomain, nowMs: number): WorldDomain {
  const { expiresMs, certifiedMs } = domain;
  const yearsOver = Math.max(0, Math.ceil((nowMs - expiresMs) / yearMs));
  const certificatesOver =
    certifiedMs === undefined ? 0 : Math.max(0, Math.floor((nowMs - certifiedMs) / certificateMs));
  return {
    ...domain,
    expiresMs: expiresMs + yearsOver * yearMs,
    changedMs: yearsOver > 0 ? expiresMs + (yearsOver - 1) * yearMs - 20 * dayMs : domain.changedMs,
    certifiedMs: certifiedMs === undefined ? undefined : certifiedMs + certificatesOver * certificateMs,
  };
}

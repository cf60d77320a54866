/**
 * Which domains are collected passively alone: those that an account has named, those on the list of a passive-only monitor, and those that
 * such a monitor will match. The last are matched here, because a new domain may be collected before discovery has put it on a list.
 */
import type { CollectorName } from '../../collect/collectors/collector.ts';
import { Matcher } from '../../model/lookalike/matcher.ts';
import type { OpsecStore } from '../../store/detect/opsec-store.ts';
import type { MonitorStore } from '../../store/monitor-store.ts';

export interface PassiveDomainsNeeds {
  readonly opsec: Pick<OpsecStore, 'isPassive'>;
  readonly monitors: Pick<MonitorStore, 'listActiveMonitors' | 'monitorsVersion'>;
}

/** A query to a resolver ends at the name servers of the domain, which see the resolver. */
const activeCollectors: ReadonlySet<CollectorName> = new Set<CollectorName>([
  'dns',
  'tls',
  'web',
  'screenshot',
]);

/** Asks registries, or what is known of addresses already, and never the servers of a domain. */
export function isPassiveCollector(name: CollectorName): boolean {
  return !activeCollectors.has(name);
}

export class PassiveDomains {
  readonly #needs: PassiveDomainsNeeds;
  #version: number | undefined;
  /** Undefined while no monitor is passive-only. */
  #matcher: Promise<Matcher | undefined> = Promise.resolve(undefined);

  constructor(needs: PassiveDomainsNeeds) {
    this.#needs = needs;
  }

  /** In punycode. */
  async includes(domain: string): Promise<boolean> {
    const matcher = await this.#current();
    if (matcher && matcher.match(domain).length > 0) return true;
    return this.#needs.opsec.isPassive(domain);
  }

  async #current(): Promise<Matcher | undefined> {
    const version = await this.#needs.monitors.monitorsVersion();
    if (version !== this.#version) {
      this.#version = version;
      this.#matcher = this.#read();
      // Where it fails, the next domain reads again.
      this.#matcher.catch(() => (this.#version = undefined));
    }
    return this.#matcher;
  }

  async #read(): Promise<Matcher | undefined> {
    const { monitors } = await this.#needs.monitors.listActiveMonitors();
    const terms = new Map(
      monitors
        .filter(({ monitor }) => monitor.passiveOnly)
        .map(({ monitor: { term, matchSubstringVariations: substringVariations } }) => [
          JSON.stringify([term, substringVariations]),
          { text: term, substringVariations },
        ]),
    );
    return terms.size === 0 ? undefined : new Matcher([...terms.values()]);
  }
}

/**
 * Which collectors failed at the last attempt on a domain, so that a retry runs only those. In memory and bounded (oldest evicted first): for a
 * domain that is not in it all collectors run.
 */
import type { CollectorName } from '../../collect/collectors/collector.ts';

const domainsMax = 10_000;

export class RecentFailures {
  readonly #failed = new Map<string, readonly CollectorName[]>();

  find(domain: string): readonly CollectorName[] | undefined {
    return this.#failed.get(domain);
  }

  record(domain: string, collectors: readonly CollectorName[]): void {
    this.#failed.delete(domain);
    if (collectors.length === 0) return;
    this.#failed.set(domain, collectors);
    if (this.#failed.size > domainsMax) {
      const [oldest] = this.#failed.keys();
      if (oldest !== undefined) this.#failed.delete(oldest);
    }
  }
}

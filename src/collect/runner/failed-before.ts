/**
 * Which collectors failed when a domain was last looked at, so that the others need not ask again a minute later. Only in memory, and
 * only for so many: whoever is not in it asks everybody.
 */
import type { CollectorName } from '../collectors/collector.ts';

const domainsMax = 10_000;

export class FailedBefore {
  readonly #failed = new Map<string, readonly CollectorName[]>();

  find(domain: string): readonly CollectorName[] | undefined {
    return this.#failed.get(domain);
  }

  note(domain: string, collectors: readonly CollectorName[]): void {
    this.#failed.delete(domain);
    if (collectors.length === 0) return;
    this.#failed.set(domain, collectors);
    if (this.#failed.size > domainsMax) {
      const [oldest] = this.#failed.keys();
      if (oldest !== undefined) this.#failed.delete(oldest);
    }
  }
}

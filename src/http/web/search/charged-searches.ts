/**
 * Charges searches to the account. A search is counted once a minute, whatever is shown of it: its count, its facets and its first page. Every
 * further page is counted, and so is the first page in another order.
 */
import { minuteMs } from '../../../model/durations.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import { isTestQuery } from '../../../product/investigate/search-text.ts';
import { type ChargeProductNeeds, chargeProduct } from '../charge-product.ts';
import type { WebCaller } from '../web-operation.ts';
import type { WebSearch } from './read-search.ts';

export interface ChargedSearchNeeds extends ChargeProductNeeds {
  readonly settings: Pick<Settings, 'limits' | 'investigate'>;
}

interface Charged {
  readonly untilMs: number;
  readonly paid: Promise<void>;
  /** Of the page that was read; undefined as long as none was. */
  order: string | undefined;
}

export const searchProduct = 'intel-investigate';
const searchesMax = 2000;

export class ChargedSearches {
  readonly #needs: ChargedSearchNeeds;
  /** Oldest first. */
  readonly #charged = new Map<string, Charged>();

  constructor(needs: ChargedSearchNeeds) {
    this.#needs = needs;
  }

  /** For a count or facets. */
  async chargeView(caller: WebCaller, { text, key }: WebSearch, nowMs: number): Promise<void> {
    if (isTestQuery(text, this.#needs.settings)) return;
    await (this.#find(key, nowMs) ?? this.#charge(key, caller, nowMs)).paid;
  }

  /** For a page of results. */
  async chargePage(
    caller: WebCaller,
    { text, key }: WebSearch,
    { order, isFirst }: { readonly order: string; readonly isFirst: boolean },
    nowMs: number,
  ): Promise<void> {
    if (isTestQuery(text, this.#needs.settings)) return;
    if (!isFirst) return chargeProduct(caller, searchProduct, this.#needs, nowMs);
    const known = this.#find(key, nowMs);
    const isCovered = known && (known.order === undefined || known.order === order);
    const charged = isCovered ? known : this.#charge(key, caller, nowMs);
    charged.order = order;
    await charged.paid;
  }

  #find(key: string, nowMs: number): Charged | undefined {
    const known = this.#charged.get(key);
    // A time that is ahead of now is of a clock that was set back.
    return known && known.untilMs > nowMs && known.untilMs <= nowMs + minuteMs ? known : undefined;
  }

  #charge(key: string, caller: WebCaller, nowMs: number): Charged {
    const paid = chargeProduct(caller, searchProduct, this.#needs, nowMs);
    const charged: Charged = { untilMs: nowMs + minuteMs, paid, order: undefined };
    this.#charged.delete(key);
    this.#charged.set(key, charged);
    paid.catch(() => {
      if (this.#charged.get(key) === charged) this.#charged.delete(key);
    });
    for (const [oldest, { untilMs }] of this.#charged) {
      if (this.#charged.size <= searchesMax && untilMs > nowMs) break;
      this.#charged.delete(oldest);
    }
    return charged;
  }
}

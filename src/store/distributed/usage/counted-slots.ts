/** The rows that limits are counted in (table `usage_count`), each once. */
import type { CountedLimit } from '../../../model/account/limit.ts';
import { counterOf } from '../../usage/counter-of.ts';
import { windowStart } from '../../usage/windows.ts';

export type SlotKind = 'window' | 'bucket' | 'sliding';

export class CountedSlots {
  readonly counters: string[] = [];
  readonly kinds: SlotKind[] = [];
  readonly windows: number[] = [];
  readonly #indexes = new Map<string, number>();

  /** Its index, which begins with 1 as in PostgreSQL. */
  indexOf(limit: CountedLimit, nowMs: number): number {
    const [counter, kind] = [counterOf(limit), slotKind(limit)];
    const windowMs = windowStart(limit, nowMs);
    const key = `${kind} ${windowMs} ${counter}`;
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.counters.push(counter);
    this.kinds.push(kind);
    this.windows.push(windowMs);
    this.#indexes.set(key, this.counters.length);
    return this.counters.length;
  }
}

export function slotKind({ window }: CountedLimit): SlotKind {
  return window.kind === 'calendar' || window.kind === 'block' ? 'window' : window.kind;
}

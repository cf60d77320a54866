/** How many answers each key has under way in this process. */
import { Problem } from '../../model/problem.ts';

export class Connections {
  /** A count stays when it has become 0: there are no more than keys. */
  readonly #open = new Map<string, { count: number }>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  take(key: string): void {
    let open = this.#open.get(key);
    if (!open) {
      open = { count: 0 };
      this.#open.set(key, open);
    }
    if (open.count >= this.#max) {
      throw new Problem(
        'too-many-connections',
        `concurrent connection limit exceeded: the API key has ${open.count} lookups under way`,
      );
    }
    open.count += 1;
  }

  release(key: string): void {
    const open = this.#open.get(key);
    if (open) open.count -= 1;
  }
}

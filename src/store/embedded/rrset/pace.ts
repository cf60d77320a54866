/** How long a step may still take. Looking at the time costs something too, so it is looked at now and then. */
const looksBetween = 16;

export class Pace {
  #untilMs = 0;
  #looks = 0;

  begin(untilMs: number): void {
    this.#untilMs = untilMs;
    this.#looks = 0;
  }

  isOver(): boolean {
    this.#looks += 1;
    return this.#looks % looksBetween === 0 && this.isOverNow();
  }

  /** After something that may have taken long. */
  isOverNow(): boolean {
    return performance.now() >= this.#untilMs;
  }
}

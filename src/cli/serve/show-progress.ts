/** A status line with the counters of the pipeline. */
import { progressLine } from '../progress-line.ts';

const refreshMs = 500;

/** Updated until the service stops. */
export function showProgress(read: () => Readonly<Record<string, number>>, stopped: Promise<void>): void {
  const line = progressLine();
  const timer = setInterval(() => {
    const { discovered = 0, collected = 0, lookalikes = 0, screenshots = 0, rrsets = 0 } = read();
    line.show(
      `  ${discovered} domains discovered · ${collected} collected · ${lookalikes} lookalikes · ` +
        `${screenshots} screenshots · ${rrsets} passive DNS RRsets`,
    );
  }, refreshMs).unref();
  const end = () => {
    clearInterval(timer);
    line.clear();
  };
  stopped.then(end, end);
}

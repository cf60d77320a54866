/**
 * Whether more arrives than this process works off: resolvers send faster than they are read, and drop the rest; or what was read is not
 * published, so that it cannot be compacted, and every search reads more segments.
 */
import type { DnstapListener } from '../collect/dnstap/listener.ts';
import type { ObservationPublisher } from './publishing/observation-publisher.ts';

export interface BacklogNeeds {
  readonly sensor: Pick<DnstapListener, 'statistics'> | undefined;
  readonly publisher: Pick<ObservationPublisher, 'isBehind'> | undefined;
  /** Called once, when there is a backlog for the first time. */
  readonly onFirst: () => void;
}

export interface Backlog {
  exists(): boolean;
  close(): void;
}

const everyMs = 1000;

export function watchBacklog({ sensor, publisher, onFirst }: BacklogNeeds): Backlog {
  const exists = () => (sensor?.statistics().behind ?? 0) > 0 || publisher?.isBehind() === true;
  const timer = setInterval(() => {
    if (!exists()) return;
    clearInterval(timer);
    onFirst();
  }, everyMs).unref();
  return { exists, close: () => clearInterval(timer) };
}

import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  CircleX,
  ClockAlert,
  type LucideIcon,
} from 'lucide-react';
import type { HealthState } from '../../data/health.ts';
import { stateWords } from '../../words/health.ts';

const icons: Readonly<Record<HealthState, LucideIcon>> = {
  failing: CircleX,
  late: ClockAlert,
  starting: CircleDashed,
  working: CircleCheck,
  idle: CirclePause,
  off: CircleSlash,
};

/** A state as sign and word; colour comes last. */
export function StateWord({ state }: { state: HealthState }) {
  const Icon = icons[state];
  return (
    <span className={`part-state ${state}`}>
      <Icon size={15} aria-hidden /> {stateWords[state]}
    </span>
  );
}

/** Where stages under test report how they are; nothing is saved. */
import type { Clock } from '../../src/model/clock.ts';
import { HealthReporter } from '../../src/pipeline/health/health-reporter.ts';
import { openHealthStore } from '../../src/store/embedded/health-store.ts';

export function unsavedHealth(clock: Clock): HealthReporter {
  return new HealthReporter({
    health: openHealthStore('/nonexistent'),
    clock,
    process: 'test',
    node: 'host',
    role: 'all',
    version: '0',
    onFailure: (error) => {
      throw error;
    },
  });
}

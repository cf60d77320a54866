/**
 * How often a property is tried whose every try is costly, such as a request. `PROPERTY_RUNS=5 npm test` tries each of them five times as often:
 * after a change of what they are about, or overnight.
 */
export function propertyRuns(usual: number): number {
  return Math.ceil(usual * Number(process.env['PROPERTY_RUNS'] ?? 1));
}

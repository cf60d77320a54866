/** Arrays of numbers as a parameter in PostgreSQL's text form: the driver would quote and escape every number. */

export function arrayText(numbers: readonly (number | bigint)[]): string {
  return `{${numbers.join()}}`;
}

/** A figure and the bound that we hold ourselves to; a missed one makes the benchmark fail. */
export function want(what: string, value: number, relation: '<=' | '>=', bound: number): void {
  const met = relation === '<=' ? value <= bound : value >= bound;
  console.log(`${what} ${value.toFixed(2)} (${relation} ${bound} wanted): ${met ? 'met' : 'MISSED'}`);
  if (!met) process.exitCode = 1;
}

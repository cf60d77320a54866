/** Of two versions of a long text, such as a WHOIS record, only the lines that the other one does not have. */
export function changedLines(
  before: string,
  after: string,
): { readonly before: readonly string[]; readonly after: readonly string[] } {
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  const [inOld, inNow] = [new Set(old), new Set(now)];
  return { before: old.filter((line) => !inNow.has(line)), after: now.filter((line) => !inOld.has(line)) };
}

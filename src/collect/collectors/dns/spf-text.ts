/** The SPF record among the TXT records of a domain: its pieces joined as RFC 7208 wants it, without a blank. */

const version = /^v=spf1(?: |$)/i;
/** More than any mail server reads. */
const lengthMax = 4096;

/** Two of them are a mistake of the owner; the same one is shown whichever comes first. */
export function findSpf(records: readonly (readonly string[])[]): string | undefined {
  const found = records.map((pieces) => pieces.join('')).filter((text) => version.test(text));
  return found.filter((text) => text.length <= lengthMax).sort()[0];
}

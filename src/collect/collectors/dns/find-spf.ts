/** Finds the SPF record among TXT records, its character strings joined without spaces (RFC 7208, 3.3). */

const version = /^v=spf1(?: |$)/i;
/** More than any mail server reads. */
const lengthMax = 4096;

/** Several SPF records are an error of the owner; sorting makes the choice stable. */
export function findSpf(records: readonly (readonly string[])[]): string | undefined {
  const found = records.map((strings) => strings.join('')).filter((text) => version.test(text));
  return found.filter((text) => text.length <= lengthMax).sort()[0];
}

/** Classes of records and questions by number, as IANA lists them. */
const mnemonics: Readonly<Record<number, string>> = { 1: 'IN', 3: 'CH', 4: 'HS', 254: 'NONE', 255: 'ANY' };

/** The mnemonic, or `CLASSnnn` (RFC 3597). */
export function classText(recordClass: number): string {
  return mnemonics[recordClass] ?? `CLASS${recordClass}`;
}

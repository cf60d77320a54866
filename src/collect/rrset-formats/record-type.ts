/** The RR type of stored data, in any notation: mnemonic, TYPEnnn, number or digits. */
import { typeNumber } from '../../model/dns/rr-type.ts';

const optType = 41;

/** Meta types (RFC 6895: 0, OPT, 128 to 255) are not data. */
function isData(type: number): boolean {
  return type > 0 && type < 0xffff && type !== optType && (type < 128 || type > 255);
}

export function recordType(value: unknown): number | undefined {
  const type =
    typeof value === 'string' ? (typeNumber(value) ?? (/^\d{1,5}$/.test(value) ? Number(value) : 0)) : value;
  return Number.isInteger(type) && isData(type as number) ? (type as number) : undefined;
}

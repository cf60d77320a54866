/**
 * Names as traffic sensors log them: labels joined by dots, no final dot, and escapes that cannot be distinguished from backslashes. Names
 * with a backslash or invalid UTF-8 are refused.
 */
import { parseName, rootName } from '../../model/dns/name.ts';
import type { WireName } from '../../model/dns/rrset.ts';
import { hasInvalidUtf8 } from '../input/invalid-utf8.ts';

export function loggedName(text: unknown): WireName | undefined {
  if (typeof text !== 'string' || text.includes('\\') || hasInvalidUtf8(text)) return undefined;
  return text === '' ? rootName : parseName(text);
}

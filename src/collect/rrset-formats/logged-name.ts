/**
 * Names as traffic sensors log them: the labels joined by dots, without final dot and without a way to tell an escape
 * from a backslash of the name. What has one, or lost bytes on the way to UTF-8, cannot be trusted and is no name here.
 */
import { parseName, rootName } from '../../model/dns/name.ts';
import type { WireName } from '../../model/dns/rrset.ts';
import { hasLostBytes } from './lost-bytes.ts';

export function loggedName(text: unknown): WireName | undefined {
  if (typeof text !== 'string' || text.includes('\\') || hasLostBytes(text)) return undefined;
  return text === '' ? rootName : parseName(text);
}

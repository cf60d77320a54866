/** Which entries of the audit log are shown. */
import { definedOnly, oneText } from '../../../data/address.ts';

export interface AuditSearchState {
  readonly actor?: string;
  readonly kind?: string;
  /** Entries before this number. */
  readonly before?: string;
}

export function auditSearch(raw: Readonly<Record<string, unknown>>): AuditSearchState {
  const before = oneText(raw['before']);
  return definedOnly({
    actor: oneText(raw['actor']),
    kind: oneText(raw['kind']),
    before: before !== undefined && /^[1-9]\d{0,14}$/.test(before) ? before : undefined,
  });
}

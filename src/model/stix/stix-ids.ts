/**
 * Identifiers of STIX 2.1 (https://docs.oasis-open.org/cti/stix/v2.1/os/stix-v2.1-os.html, 2.9), made from what an object is about: who reads it twice
 * has it once.
 */
import { uuidV5 } from './uuid-v5.ts';

/** Given by the standard for observables, whose ids do not depend on who made them; no other object may use it. */
const observableNamespace = '00abedb4-aa42-466c-9c01-fed23315a9b7';
/** Ours, for everything else. */
const ownNamespace = '6f1c1f0e-9d0b-5c57-8a43-0d1f3b6a2c11';

export type ObservableType = 'domain-name' | 'ipv4-addr' | 'ipv6-addr';

export function observableId(type: ObservableType, value: string): string {
  return `${type}--${uuidV5(observableNamespace, JSON.stringify({ value }))}`;
}

export function addressType(address: string): ObservableType {
  return address.includes(':') ? 'ipv6-addr' : 'ipv4-addr';
}

export function ownUuid(type: string, ...name: readonly string[]): string {
  return uuidV5(ownNamespace, JSON.stringify([type, ...name]));
}

export function stixId(type: string, ...name: readonly string[]): string {
  return `${type}--${ownUuid(type, ...name)}`;
}

/** The account, as the author of what it shares. */
export function accountIdentityId(accountId: string): string {
  return stixId('identity', accountId);
}

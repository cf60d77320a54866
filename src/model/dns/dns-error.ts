import type { DnsMessage, DnsQuestion } from './message.ts';
import type { WireName } from './rrset.ts';

/** An answer whose response code is not 0, as a sensor saw it. Nothing in it tells who asked. */
export interface DnsError {
  readonly responseTimeSeconds: number;
  readonly responseTimeNanoseconds: number;
  /** Of the server that answered, 4 or 16 bytes; undefined where the sensor does not say. */
  readonly responseAddress: Uint8Array | undefined;
  /** The zone that the server was asked for, where the sensor says so. */
  readonly queryZone: WireName | undefined;
  readonly question: DnsQuestion;
  readonly message: DnsMessage;
  /** The message as it was on the wire: options that may tell of a client are still in it. */
  readonly response: Uint8Array;
}

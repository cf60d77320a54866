import type { DnsMessage, DnsQuestion } from './message.ts';
import type { WireName } from './rrset.ts';

/** A response with a response code other than 0, as a sensor saw it. Nothing but EDNS options identifies the client. */
export interface DnsError {
  readonly responseTimeSeconds: number;
  readonly responseTimeNanoseconds: number;
  /** The address of the server, 4 or 16 bytes; undefined where the sensor does not report it. */
  readonly responseAddress: Uint8Array | undefined;
  /** The zone for which the server was queried, where the sensor reports it. */
  readonly queryZone: WireName | undefined;
  readonly question: DnsQuestion;
  readonly message: DnsMessage;
  /** The message on the wire, still with options that may identify a client. */
  readonly response: Uint8Array;
}

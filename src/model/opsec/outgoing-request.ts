/** A request that we made for a domain: what the other side could see of us. */

export type RequestProtocol = 'dns' | 'http' | 'https' | 'tcp';

export interface OutgoingRequest {
  /** The domain that it was made for, in punycode. */
  readonly domain: string;
  /** A collector, or `screenshot`. */
  readonly collector: string;
  readonly protocol: RequestProtocol;
  /** Whom it was meant for: a host name, or of DNS the name that was asked about. */
  readonly host: string;
  /** Whom we connected to; undefined where no connection was made. */
  readonly address: string | undefined;
  readonly port: number;
  /** Our own address of the connection; undefined where it is not known. */
  readonly source: string | undefined;
  readonly atMs: number;
  /** `answered`, a status such as `200`, or why it failed. */
  readonly outcome: string;
}

/** Kept for each domain; older ones are removed. */
export const requestsPerDomainMax = 100;

const textLengthMax = 300;

/** Third parties choose hosts and reasons: bounded, and what PostgreSQL stores. */
export function boundedRequest(request: OutgoingRequest): OutgoingRequest {
  return { ...request, host: storable(request.host), outcome: storable(request.outcome) };
}

function storable(text: string): string {
  return text.slice(0, textLengthMax).toWellFormed().replaceAll('\0', '\uFFFD');
}

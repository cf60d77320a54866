/** Rows of `outgoing_request`. */
import type { OutgoingRequest, RequestProtocol } from '../../../model/opsec/outgoing-request.ts';

export interface RequestRow {
  readonly domain: string;
  readonly at_ms: number;
  readonly collector: string;
  readonly protocol: RequestProtocol;
  readonly host: string;
  readonly address: string | null;
  readonly port: number;
  readonly source: string | null;
  readonly outcome: string;
}

export function requestOf(row: RequestRow): OutgoingRequest {
  return {
    domain: row.domain,
    collector: row.collector,
    protocol: row.protocol,
    host: row.host,
    address: row.address ?? undefined,
    port: row.port,
    source: row.source ?? undefined,
    atMs: row.at_ms,
    outcome: row.outcome,
  };
}

/**
 * The requests of one probe. Those that differ in nothing, such as queries for several types of one name, are one. Where a redirect or a page leads
 * to a passive-only domain, the connection is refused.
 */
import type { Clock } from '../../model/clock.ts';
import { boundedRequest, type OutgoingRequest } from '../../model/opsec/outgoing-request.ts';
import { findRegistrableDomain } from '../../model/registrable-domain.ts';
import { type MadeRequest, recordingRequests } from '../../outgoing/request-recorder.ts';
import type { PassiveDomains } from './passive-domains.ts';

/** Of one probe; a page may make a browser connect to hundreds of hosts. */
const requestsMax = 40;

export interface ProbeSubject {
  readonly domain: string;
  readonly collector: string;
}

export interface RecordProbeNeeds {
  readonly clock: Clock;
  readonly passive: Pick<PassiveDomains, 'includes'>;
}

export function recordProbe<Result>(
  subject: ProbeSubject,
  requests: OutgoingRequest[],
  { clock, passive }: RecordProbeNeeds,
  work: () => Promise<Result>,
): Promise<Result> {
  const seen = new Set<string>();
  const record = (made: MadeRequest) => {
    const request = boundedRequest({ ...made, ...subject, atMs: clock.now() });
    // Bounded texts contain no NUL.
    const key = [made.protocol, request.host, made.address, made.port, request.outcome].join('\0');
    if (seen.size >= requestsMax || seen.has(key)) return;
    seen.add(key);
    requests.push(request);
  };
  const findRefusal = async (host: string) => {
    const domain = findRegistrableDomain(host);
    // What may be asked of the domain itself was decided before the probe.
    if (domain === undefined || domain === subject.domain) return undefined;
    return (await passive.includes(domain)) ? `${domain} is passive only` : undefined;
  };
  return recordingRequests({ record, findRefusal }, work);
}

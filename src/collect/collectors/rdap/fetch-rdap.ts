/** One request to an RDAP server (RFC 7480): the domain object, that the server does not know the domain, or why it failed. */
import { yieldIfIterationIsFull } from '../../../concurrency/event-loop-slices.ts';
import type { HostThrottle } from '../../../concurrency/host-throttle.ts';
import type { KeepRaw } from '../../../model/evidence/raw-answer.ts';
import { Problem } from '../../../model/problem.ts';
import { parseJson } from '../../../model/registration/rdap/parse-json.ts';
import { type RdapDomain, readRdapDomain } from '../../../model/registration/rdap/read-rdap-domain.ts';
import type { Dialer, OutgoingResponse } from '../../../outgoing/guarded-dialer.ts';

export type RdapResult =
  | { readonly outcome: 'domain'; readonly domain: RdapDomain; readonly text: string; readonly url: string }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'failed'; readonly reason: string; readonly isTransient: boolean };

export interface RdapRequest {
  readonly url: string;
  readonly domain: string;
  readonly bytesMax: number;
  readonly userAgent: string;
  readonly signal: AbortSignal;
  readonly keepRaw?: KeepRaw | undefined;
}

const timeoutMs = 10_000;
const redirectsMax = 3;

/** Throws only the reason of the aborted signal. */
export async function fetchRdap(
  needs: { readonly dialer: Pick<Dialer, 'send'>; readonly throttle: Pick<HostThrottle, 'run'> },
  request: RdapRequest,
): Promise<RdapResult> {
  const { url, domain, bytesMax, userAgent, signal } = request;
  const host = URL.parse(url)?.hostname ?? url;
  const failed = (reason: string, isTransient: boolean): RdapResult => ({
    outcome: 'failed',
    reason: `${host} ${reason}`,
    isTransient,
  });
  let response: OutgoingResponse;
  try {
    response = await needs.throttle.run(host, signal, () =>
      needs.dialer.send({
        method: 'GET',
        url,
        headers: {
          accept: 'application/rdap+json, application/json;q=0.9',
          // No compression: a small compressed body could expand to any size.
          'accept-encoding': 'identity',
          'user-agent': userAgent,
        },
        timeoutMs,
        signal,
        responseBytesMax: bytesMax,
        redirectsMax,
        // All domains below a top-level domain are asked of the same server.
        connection: 'kept',
      }),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Problem)) throw error;
    return failed(`gave no response: ${error.message}`, error.code !== 'invalid-parameters');
  }
  request.keepRaw?.({
    kind: 'rdap',
    asked: response.url,
    address: response.address,
    request: `GET ${url} (status ${response.status})`,
    mediaType: 'application/rdap+json',
    bytes: response.body,
    isTruncated: response.isTruncated,
  });
  if (response.status === 404) return { outcome: 'unknown' };
  if (response.status !== 200)
    return failed(statusReason(response), response.status === 429 || response.status >= 500);
  const encoding = response.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    return failed('sent a compressed answer that was not requested', false);
  if (response.isTruncated) return failed(`answered with more than ${bytesMax} bytes`, false);
  await yieldIfIterationIsFull();
  // Parsed whatever the content type says: that header is as untrusted as the body.
  const found = readRdapDomain(parseJson(response.body));
  if (found === undefined) return failed('did not answer with a domain object', false);
  if (found.name !== undefined && found.name !== domain)
    return failed('answered about another domain', false);
  return { outcome: 'domain', domain: found, text: response.body.toString('utf8'), url: response.url };
}

function statusReason({ status, headers }: OutgoingResponse): string {
  const wait = headers['retry-after'];
  const seconds = typeof wait === 'string' && /^\d{1,6}$/.test(wait) ? `, retry after ${wait} seconds` : '';
  return `answered with status ${status}${seconds}`;
}

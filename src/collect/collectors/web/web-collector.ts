/**
 * Probes the web site of a domain: final URL, status, title, server and trackers. Over http first, as a visitor who only knows the
 * name, and over https where http has no server.
 */
import type { HostThrottle } from '../../../concurrency/host-throttle.ts';
import { findBaseDomain } from '../../../model/base-domain.ts';
import type { Clock } from '../../../model/clock.ts';
import type { KeepRaw } from '../../../model/evidence/raw-answer.ts';
import type { DomainRecord } from '../../../model/record/domain-record.ts';
import { normaliseText } from '../../../model/record/normalise-text.ts';
import { trackerMembers } from '../../../model/record/tracker-members.ts';
import type { Settings } from '../../../model/settings/settings.ts';
import type { Dialer, OutgoingResponse } from '../../../outgoing/guarded-dialer.ts';
import type { Collector, ProbeRequest, ProbeResult } from '../collector.ts';
import { type ConnectionFailure, classifyFailure } from '../connection-failure.ts';
import { truncateText } from '../truncate-text.ts';
import { type FetchUrl, type FinalResponse, followRedirects, textOf } from './follow-redirects.ts';

export interface WebCollectorNeeds {
  readonly dialer: Pick<Dialer, 'send'>;
  readonly throttle: Pick<HostThrottle, 'run'>;
  readonly settings: {
    readonly collect: Pick<Settings['collect'], 'bodyBytesMax' | 'lookSeconds' | 'userAgent'>;
  };
  readonly clock: Clock;
}

const requestMsMax = 10_000;
const serverLengthMax = 255;

export function createWebCollector({ dialer, throttle, settings, clock }: WebCollectorNeeds): Collector {
  const { bodyBytesMax, lookSeconds, userAgent } = settings.collect;
  const probeMs = lookSeconds * 1000;
  const headers = {
    'user-agent': userAgent,
    accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
    'accept-encoding': 'gzip, deflate, br, zstd',
    'accept-language': 'en',
  };

  /** Its deadline is a little before that of the probe, so that partial findings are still returned. */
  const fetcherFor = ({ domain, known, signal, keepRaw }: ProbeRequest): FetchUrl => {
    const endMs = clock.now() + 0.9 * probeMs;
    return (url) => {
      const { hostname } = new URL(url);
      const server = (hostname === domain && known.ip?.[0]?.address) || hostname;
      return throttle.run(server, signal, async () => {
        const timeoutMs = Math.floor(Math.min(requestMsMax, probeMs / 3, endMs - clock.now()));
        if (timeoutMs <= 0) return undefined;
        const bounds = { timeoutMs, responseBytesMax: bodyBytesMax, signal };
        const response = await dialer.send({ method: 'GET', url, headers, certificate: 'any', ...bounds });
        if (keepRaw) keepResponse(url, response, keepRaw);
        return response;
      });
    };
  };

  const visit = async (
    request: ProbeRequest,
    start: string,
    fetchUrl: FetchUrl,
  ): Promise<FinalResponse | ConnectionFailure> => {
    try {
      return await followRedirects(start, fetchUrl, bodyBytesMax);
    } catch (error) {
      request.signal.throwIfAborted();
      return classifyFailure(error);
    }
  };

  return {
    name: 'web',
    members: [
      'redirect',
      'redirect_domain',
      'website_response',
      'website_title',
      'server_type',
      ...trackerMembers,
    ],
    probe: async (request): Promise<ProbeResult> => {
      const fetchUrl = fetcherFor(request);
      const open = await visit(request, `http://${request.domain}/`, fetchUrl);
      if ('response' in open) return { outcome: 'found', part: partOf(request.domain, open) };
      if (open.kind === 'refused') return failed(open);
      const secure = await visit(request, `https://${request.domain}/`, fetchUrl);
      if ('response' in secure) return { outcome: 'found', part: partOf(request.domain, secure) };
      const isAbsent = open.kind === 'absent' && secure.kind === 'absent';
      if (isAbsent) return { outcome: 'found', part: {} };
      return failed(secure.kind === 'absent' ? open : secure);
    },
  };
}

/** The body as it was transferred: where the head names a content encoding, it is compressed. */
function keepResponse(url: string, response: OutgoingResponse, keepRaw: KeepRaw): void {
  const { address, body, head = '' } = response;
  const probe = { asked: url, address, request: `GET ${url}` };
  const bytes = Buffer.from(head, 'latin1');
  keepRaw({ ...probe, kind: 'http-head', mediaType: 'text/plain', bytes, isTruncated: false });
  if (body.length === 0) return;
  const mediaType = textOf(response.headers['content-type']) || 'application/octet-stream';
  keepRaw({ ...probe, kind: 'http-body', mediaType, bytes: body, isTruncated: response.isTruncated });
}

function failed({ kind, reason }: ConnectionFailure): ProbeResult {
  return { outcome: 'failed', reason, isTransient: kind === 'transient' };
}

function partOf(domain: string, { url, response, page }: FinalResponse): Partial<DomainRecord> {
  const server = normaliseText('text', truncateText(textOf(response.headers['server']), serverLengthMax));
  return {
    ...redirectOf(domain, url),
    website_response: response.status,
    ...(page?.title ? { website_title: page.title } : {}),
    ...('text' in server && server.text !== '' ? { server_type: server.text } : {}),
    ...page?.trackers,
  };
}

/** A redirect to the site's own `www` or to https does not count. */
function redirectOf(
  domain: string,
  redirect: string,
): Pick<Partial<DomainRecord>, 'redirect' | 'redirect_domain'> {
  const hostname = new URL(redirect).hostname.replace(/\.$/, '');
  if (hostname === domain || hostname === `www.${domain}`) return {};
  const host = normaliseText('host', hostname);
  const base = 'text' in host ? findBaseDomain(host.text) : undefined;
  return { redirect, ...(base === undefined ? {} : { redirect_domain: base }) };
}

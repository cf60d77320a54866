/**
 * The SSRF guard: every connection to a host that a user or a third party names is opened here. A host is resolved once, every
 * address of the answer is checked, and the connection is made to a checked address, so DNS rebinding (a second, different answer)
 * has no effect. Addresses that are not public are refused unless `outgoing.allow` lists them. See
 * https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html
 */
import { once } from 'node:events';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, connect as openSocket, type Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { Timeout } from '../concurrency/deadline.ts';
import { yieldIfIterationIsFull } from '../concurrency/event-loop-slices.ts';
import { Problem } from '../model/problem.ts';
import { addressCheck, sameAddress } from './address-check.ts';
import { CheckedAgent, type CheckedOptions } from './checked-agent.ts';
import { request as requestHttp } from './node-http.ts';
import { readResponse } from './read-response.ts';
import { findRefusal, recordRequest } from './request-recorder.ts';
import { type ResolveHost, resolveHost } from './resolve-host.ts';

export interface OutgoingRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For DNS, connecting, redirects and the response together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** The rest is not read, and the connection is closed. */
  readonly responseBytesMax: number;
  /**
   * Receives the body of a 200 response in chunks, in place of `body`, with backpressure; bodies of other responses are not read.
   */
  readonly onChunk?: (piece: Buffer) => Promise<void>;
  /** `configured`: the operator wrote the URL, so its port is allowed. By default only the ports of HTTP and HTTPS. */
  readonly ports?: 'configured';
  /** Redirects to follow, each checked as the first URL was; 0 by default. Never for POST. */
  readonly redirectsMax?: number;
  /** `any`: the server's certificate is not verified. */
  readonly certificate?: 'any';
  /** `kept`: the connection to an HTTPS server may be used for another such request. For servers of which many requests are made. */
  readonly connection?: 'kept';
}

export interface OutgoingResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Status line and header lines as they were received; absent for a response that no server sent. */
  readonly head?: string;
  readonly body: Buffer;
  /** The body is longer than `responseBytesMax`. */
  readonly isTruncated: boolean;
  /** The URL and the address of the last response, after redirects. */
  readonly url: string;
  readonly address: string;
}

export interface ConnectionRequest {
  readonly host: string;
  readonly port: number;
  /** For DNS and connecting together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Connection {
  readonly socket: Socket;
  /** The checked address that it is connected to. */
  readonly address: string;
}

export interface DialerNeeds {
  readonly settings: { readonly outgoing: { readonly allow: readonly string[] } };
  /** The setting named in the message of a refusal. */
  readonly allowSetting?: string;
  readonly resolve?: ResolveHost;
  /** CA certificates to trust in place of the system's. */
  readonly ca?: string;
  /** Where HTTP and HTTPS servers listen, for a simulated Internet on one machine. */
  readonly ports?: { readonly http: number; readonly https: number };
}

export interface Dialer {
  /** Throws the Problem `invalid-parameters` for a URL that would be refused, and `unavailable` for a host without an address. */
  check(url: string, ports?: 'configured'): Promise<void>;
  /** Throws as `check` does, `timed-out`, and `unavailable` for every other failure. */
  send(request: OutgoingRequest): Promise<OutgoingResponse>;
  /** A socket for any other protocol; the caller closes it. Throws as `send` does. */
  connect(request: ConnectionRequest): Promise<Connection>;
}

interface Target {
  readonly url: URL;
  readonly addresses: readonly string[];
}

const redirects = new Set([301, 302, 303, 307, 308]);
const addressesMax = 64;

export function createDialer({
  settings,
  allowSetting = 'outgoing.allow',
  resolve = resolveHost,
  ca,
  ports: servedAt,
}: DialerNeeds): Dialer {
  const isAllowed = addressCheck(settings.outgoing.allow);
  const agent = new CheckedAgent();
  // Making one costs a quarter of a handshake.
  let contextMade: SecureContext | undefined;
  const secureContext = () => {
    contextMade ??= createSecureContext(ca === undefined ? {} : { ca });
    return contextMade;
  };

  const resolveAllowed = async (name: string): Promise<readonly string[]> => {
    const host = name.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
    const refusal = isIP(host) === 0 ? await findRefusal(host) : undefined;
    if (refusal !== undefined) throw refused(refusal);
    const addresses = isIP(host) === 0 ? await resolveNamed(host, resolve) : [host];
    const forbidden = addresses.find((address) => !isAllowed(address));
    if (forbidden === undefined) return addresses;
    throw refused(
      `${forbidden === host ? host : `${host} has the address ${forbidden}, which`} is not a public address; ${allowSetting} can allow it`,
    );
  };

  const findTarget = async (text: string, ports: 'configured' | undefined): Promise<Target> => {
    const url = getUrl(text, ports);
    return { url, addresses: await resolveAllowed(url.hostname) };
  };

  const begin = ({ url, addresses }: Target, request: OutgoingRequest, signal: AbortSignal) => {
    const { method, headers, body } = request;
    const secure = url.protocol === 'https:';
    const served = url.port === '' ? (secure ? servedAt?.https : servedAt?.http) : undefined;
    const options: CheckedOptions = {
      method,
      ...(served === undefined ? {} : { port: served }),
      headers: {
        // The port of a simulated Internet is not part of its URLs.
        host: url.host,
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      // Otherwise no connection is used again: it could belong to an address that was checked for another request.
      agent: isKept(url, request) ? agent : false,
      checkedAddresses: addresses,
      lookup: pinned(addresses),
      signal,
      ...(secure
        ? { rejectUnauthorized: request.certificate !== 'any', secureContext: secureContext() }
        : {}),
    };
    return (secure ? requestHttps : requestHttp)(url, options);
  };

  const sendOnce = async (
    target: Target,
    request: OutgoingRequest,
    signal: AbortSignal,
  ): Promise<OutgoingResponse> => {
    const { url, addresses } = target;
    await yieldBeforeConnecting(signal);
    const sent = begin(target, request, signal);
    let address = '';
    let source: string | undefined;
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    const record = (outcome: string) =>
      recordRequest({
        protocol: url.protocol === 'https:' ? 'https' : 'http',
        host: url.hostname,
        address: address || undefined,
        port,
        source,
        outcome,
      });
    sent.once('socket', (socket) => {
      const check = () => {
        source = socket.localAddress;
        address = addresses.find((checked) => sameAddress(checked, socket.remoteAddress)) ?? '';
        if (address === '') sent.destroy(new Error('connected to an address that was not checked'));
      };
      if (socket.connecting) socket.once('connect', check);
      else check();
    });
    try {
      const response = await readResponse(sent, request, isKept(url, request));
      record(String(response.status));
      return { ...response, url: url.href, address };
    } catch (error) {
      record(messageOf(error));
      // The server closed a kept connection while the request was on its way.
      if (!sent.reusedSocket || signal.aborted || request.method === 'POST' || request.onChunk) throw error;
      const { connection: _kept, ...again } = request;
      return sendOnce(target, again, signal);
    }
  };

  /** Every failure becomes a Problem. */
  const withDeadline = async <Result>(
    { timeoutMs, signal }: Pick<OutgoingRequest, 'timeoutMs' | 'signal'>,
    work: (deadline: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const timeout = new Timeout(timeoutMs, signal);
    try {
      return await work(timeout.signal);
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (timeout.isOver) throw new Problem('timed-out', `no response within ${timeoutMs} ms`);
      throw new Problem('unavailable', messageOf(error), { cause: error });
    } finally {
      timeout.clear();
    }
  };

  return {
    check: async (url, ports) => void (await findTarget(url, ports)),
    send: (request) =>
      withDeadline(request, async (deadline) => {
        let next = request;
        for (let left = request.redirectsMax ?? 0; ; left -= 1) {
          const target = await orTimeout(findTarget(next.url, next.ports), deadline);
          const response = await sendOnce(target, next, deadline);
          const location = redirects.has(response.status) ? response.headers['location'] : undefined;
          if (left === 0 || typeof location !== 'string' || request.method === 'POST') return response;
          next = redirected(next, target.url, location);
        }
      }),
    connect: (request) =>
      withDeadline(request, async (deadline) => {
        const addresses = await orTimeout(resolveAllowed(request.host), deadline);
        await yieldBeforeConnecting(deadline);
        return connectTo(addresses, request, deadline);
      }),
  };
}

function isKept({ protocol }: URL, { connection }: OutgoingRequest): boolean {
  return protocol === 'https:' && connection === 'kept';
}

/** Beginning many at once would block the event loop. */
async function yieldBeforeConnecting(deadline: AbortSignal): Promise<void> {
  await yieldIfIterationIsFull();
  deadline.throwIfAborted();
}

/** Tries one address after the other. */
async function connectTo(
  addresses: readonly string[],
  { host, port }: Pick<ConnectionRequest, 'host' | 'port'>,
  deadline: AbortSignal,
): Promise<Connection> {
  let failure: unknown;
  for (const address of addresses) {
    const socket = openSocket({ host: address, port });
    // Without an error: the caller learns of the abort from the signal, and an unhandled error event would crash the process.
    const abort = () => socket.destroy();
    deadline.addEventListener('abort', abort, { once: true });
    try {
      await once(socket, 'connect', { signal: deadline });
      recordRequest({
        protocol: 'tcp',
        host,
        address,
        port,
        source: socket.localAddress,
        outcome: 'connected',
      });
      return { socket, address };
    } catch (error) {
      socket.destroy();
      const outcome = deadline.aborted ? 'timed out' : messageOf(error);
      recordRequest({ protocol: 'tcp', host, address, port, source: undefined, outcome });
      if (deadline.aborted) throw error;
      failure = error;
    } finally {
      deadline.removeEventListener('abort', abort);
    }
  }
  throw failure;
}

function refused(message: string): Problem {
  return new Problem('invalid-parameters', message);
}

/** The host is checked in the URL parser's canonical form, whichever spelling was given. */
function getUrl(text: string, ports: 'configured' | undefined): URL {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw refused('only http and https URLs are allowed');
  if (url.username !== '' || url.password !== '')
    throw refused('user and password are not allowed in the URL');
  if (url.port !== '' && ports === undefined)
    throw refused(`port ${url.port} is not a port of http or https`);
  if (url.port === '0') throw refused('port 0 is not a port');
  return url;
}

async function resolveNamed(host: string, resolve: ResolveHost): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = await resolve(host);
  } catch (error) {
    throw new Problem('unavailable', `${host} has no address: ${messageOf(error)}`, { cause: error });
  }
  if (addresses.length === 0 || addresses.length > addressesMax)
    throw new Problem('unavailable', `${host} has ${addresses.length} addresses`);
  return addresses;
}

/** A `lookup` that returns only the checked addresses, so that Node does not resolve the host again. */
function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, answer) => {
    if (options.all) answer(null, all);
    else answer(null, all[0]?.address ?? '', all[0]?.family);
  };
}

/**
 * Headers may carry credentials for the first origin, and a configured port is allowed for that origin only: neither follows to
 * another.
 */
function redirected(request: OutgoingRequest, from: URL, location: string): OutgoingRequest {
  const url = URL.parse(location, from.href);
  if (!url) throw refused('a redirect leads to an invalid URL');
  if (url.origin === from.origin) return { ...request, url: url.href };
  const { ports: _ports, headers: _headers, ...rest } = request;
  return { ...rest, url: url.href };
}

function orTimeout<Result>(work: Promise<Result>, deadline: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(deadline.reason as Error);
    if (deadline.aborted) abort();
    deadline.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject);
  });
}

/** An AggregateError of several failed addresses has no message of its own. */
function messageOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || 'the connection failed';
}

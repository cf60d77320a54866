/**
 * Every connection to somebody whose address is not ours to choose is made here. A host is resolved once, every address of the answer
 * is judged, and the connection goes to one that was judged: a name that points elsewhere a moment later gains nothing. What is
 * not of the Internet at large is refused unless `outgoing.allow` opens it.
 */
import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, connect as openSocket, type Socket } from 'node:net';
import { containsAddress } from '../model/address-range.ts';
import { Problem } from '../model/problem.ts';
import { isPublicAddress } from './public-address.ts';
import { type ResolveHost, resolveHost } from './resolve-host.ts';
import { takeAnswer } from './take-answer.ts';

export interface OutgoingRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For everything together: resolving, connecting, redirects, the answer. */
  readonly timeoutMs: number;
  /** Gives the whole of it up. */
  readonly signal?: AbortSignal;
  /** What comes beyond is not read, and the connection is closed. */
  readonly answerBytesMax: number;
  /** Takes the body of an answer 200 piece by piece, in place of `body`, and the other side waits for it; others are not read. */
  readonly keepPiece?: (piece: Buffer) => Promise<void>;
  /** `configured`: the operator wrote the URL, and with it the port. By default only the ports of http and https. */
  readonly ports?: 'configured';
  /** Redirects that are followed, each judged as the first URL was; none by default. Only for what changes nothing. */
  readonly redirectsMax?: number;
  /** `any`: whoever answers is looked at, and need not prove who they are. */
  readonly certificate?: 'any';
}

export interface OutgoingAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
  /** There was more than `answerBytesMax`. */
  readonly cut: boolean;
  /** Where the answer came from in the end, and from which address. */
  readonly url: string;
  readonly address: string;
}

export interface ConnectionRequest {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  /** For resolving and connecting together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Connection {
  readonly socket: Socket;
  /** The judged address that it leads to. */
  readonly address: string;
}

export interface DialerNeeds {
  readonly settings: { readonly outgoing: { readonly allow: readonly string[] } };
  /** The setting that opens what is refused, for whoever reads why. */
  readonly allowedBy?: string;
  readonly resolve?: ResolveHost;
  /** Certificates to trust in place of the usual ones. */
  readonly ca?: string;
  /** Where http and https are spoken, for an Internet that lies on one machine. */
  readonly ports?: { readonly http: number; readonly https: number };
}

export interface Dialer {
  /** Throws the Problem `invalid-parameters` for what would be refused, and `unavailable` for a host that has no address. */
  check(url: string, ports?: 'configured'): Promise<void>;
  /** Throws as `check` does, `timed-out`, and `unavailable` for every other failure to get an answer. */
  send(request: OutgoingRequest): Promise<OutgoingAnswer>;
  /** A connection for any other protocol. Throws as `send` does; to end it is the caller's business. */
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
  allowedBy = 'outgoing.allow',
  resolve = resolveHost,
  ca,
  ports: servedAt,
}: DialerNeeds): Dialer {
  const { allow } = settings.outgoing;

  const judge = async (name: string): Promise<readonly string[]> => {
    const host = name.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
    const addresses = isIP(host) === 0 ? await resolveNamed(host, resolve) : [host];
    const refused = addresses.find(
      (address) => !isPublicAddress(address) && !containsAddress(allow, address),
    );
    if (refused === undefined) return addresses;
    throw refusal(
      `${refused === host ? host : `${host} has the address ${refused}, which`} is not of the Internet; ${allowedBy} would open it`,
    );
  };

  const findTarget = async (text: string, ports: 'configured' | undefined): Promise<Target> => {
    const url = getUrl(text, ports);
    return { url, addresses: await judge(url.hostname) };
  };

  const sendOnce = async (target: Target, request: OutgoingRequest, signal: AbortSignal) => {
    const { url, addresses } = target;
    const { method, headers, body, answerBytesMax } = request;
    const secure = url.protocol === 'https:';
    const served = url.port === '' ? (secure ? servedAt?.https : servedAt?.http) : undefined;
    const sent = (secure ? requestHttps : requestHttp)(url, {
      method,
      ...(served === undefined ? {} : { port: served }),
      headers: {
        // The port where an Internet of our own is served is no part of its names.
        host: url.host,
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      // A connection of its own for each request: none is found open that was judged for another.
      agent: false,
      lookup: pinned(addresses),
      signal,
      ...(secure
        ? { rejectUnauthorized: request.certificate !== 'any', ...(ca === undefined ? {} : { ca }) }
        : {}),
    });
    let address = '';
    sent.once('socket', (socket) =>
      socket.once('connect', () => {
        address = addresses.find((judged) => sameAddress(judged, socket.remoteAddress)) ?? '';
        if (address === '') sent.destroy(new Error('connected to an address that was not judged'));
      }),
    );
    const answer = await takeAnswer(sent, body, answerBytesMax, request.keepPiece);
    return { ...answer, url: url.href, address };
  };

  /** Everything that an attempt can end with is a Problem. */
  const withDeadline = async <Result>(
    { timeoutMs, signal }: Pick<OutgoingRequest, 'timeoutMs' | 'signal'>,
    work: (deadline: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await work(signal ? AbortSignal.any([timeout, signal]) : timeout);
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (timeout.aborted) throw new Problem('timed-out', `no answer within ${timeoutMs} ms`);
      throw new Problem('unavailable', messageOf(error), { cause: error });
    }
  };

  return {
    check: async (url, ports) => void (await findTarget(url, ports)),
    send: (request) =>
      withDeadline(request, async (deadline) => {
        let next = request;
        for (let left = request.redirectsMax ?? 0; ; left -= 1) {
          const target = await orTimeout(findTarget(next.url, next.ports), deadline);
          const answer = await sendOnce(target, next, deadline);
          const location = redirects.has(answer.status) ? answer.headers['location'] : undefined;
          if (left === 0 || typeof location !== 'string' || request.method === 'POST') return answer;
          next = redirected(next, target.url, location);
        }
      }),
    connect: (request) =>
      withDeadline(request, async (deadline) => {
        const addresses = await orTimeout(judge(request.host), deadline);
        return connectTo(addresses, request.port, deadline);
      }),
  };
}

/** One address after the other, until one answers. */
async function connectTo(
  addresses: readonly string[],
  port: number,
  deadline: AbortSignal,
): Promise<Connection> {
  let failure: unknown;
  for (const address of addresses) {
    const socket = openSocket({ host: address, port });
    // Without a reason: the one who waits is told by the signal, and nobody else hears of errors.
    const giveUp = () => socket.destroy();
    deadline.addEventListener('abort', giveUp, { once: true });
    try {
      await once(socket, 'connect', { signal: deadline });
      return { socket, address };
    } catch (error) {
      socket.destroy();
      if (deadline.aborted) throw error;
      failure = error;
    } finally {
      deadline.removeEventListener('abort', giveUp);
    }
  }
  throw failure;
}

function refusal(message: string): Problem {
  return new Problem('invalid-parameters', message);
}

/** Addresses are judged as the URL parser writes them, whichever of their many spellings was given. */
function getUrl(text: string, ports: 'configured' | undefined): URL {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw refusal('only http and https URLs are called');
  if (url.username !== '' || url.password !== '')
    throw refusal('a URL that is called has no user and password');
  if (url.port !== '' && ports === undefined) throw refusal(`port ${url.port} is not one of http or https`);
  if (url.port === '0') throw refusal('port 0 is none');
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

/** What a connection asks in place of DNS. */
function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, answer) => {
    if (options.all) answer(null, all);
    else answer(null, all[0]?.address ?? '', all[0]?.family);
  };
}

function sameAddress(judged: string, connected = ''): boolean {
  return containsAddress([judged], connected);
}

/** What was meant for one origin alone is not told to the next, and a port that the operator chose opens no other. */
function redirected(request: OutgoingRequest, from: URL, location: string): OutgoingRequest {
  const url = URL.parse(location, from.href);
  if (!url) throw refusal('a redirect leads to no URL');
  if (url.origin === from.origin) return { ...request, url: url.href };
  const { ports: _ports, headers: _headers, ...rest } = request;
  return { ...rest, url: url.href };
}

function orTimeout<Result>(work: Promise<Result>, deadline: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(deadline.reason as Error);
    if (deadline.aborted) giveUp();
    deadline.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject);
  });
}

/** Several addresses that all fail give an error without a message of its own. */
function messageOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || 'the connection failed';
}

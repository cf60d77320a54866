/**
 * URLs that grant access to one resource without credentials. A link reveals nothing about the user who requested it, and
 * anyone who has it may use it. The signature is verified in constant time before anything is looked up. It covers the host of
 * the configured base URL; the Host header of a request is never trusted.
 */
import { Problem } from '../../model/problem.ts';
import { split } from '../address.ts';
import { searchParams } from '../query-string.ts';

export interface Lifetime {
  readonly nowMs: number;
  readonly lifetimeSeconds: number;
}

/** What a signature may cover. HEAD is verified as GET, since it reveals nothing more. */
export interface SignedRequest {
  /** As in a Host header: with the port unless it is the default of the scheme. */
  readonly host: string;
  /** As sent: nothing is decoded, so that no other spelling of a path is valid. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** How a link carries its signature. `Validity` is `void` for links that do not expire. */
export interface SignatureScheme<Validity extends Lifetime | void> {
  /** The query string, without its question mark, that completes the link. */
  sign(request: SignedRequest, validity: Validity): string;
  verify(query: string, request: Omit<SignedRequest, 'parameters'>, nowMs: number): Verdict;
}

export type Verdict = 'valid' | 'expired' | 'altered';

/** One kind of link: where it lies, how it is signed, and how its target is written. */
export interface LinkKind<Target, Validity extends Lifetime | void> {
  /** Path below the mount prefix. */
  readonly prefix: string;
  /** The link key is that of the server; each kind derives its own. */
  readonly scheme: (linkKey: Buffer) => SignatureScheme<Validity>;
  readonly write: (target: Target) => { path: string; parameters?: Readonly<Record<string, string>> };
  /** `path` is what follows the prefix, '' under another mount prefix. Undefined: it names nothing, although it is signed. */
  readonly read: (path: string, parameters: URLSearchParams) => Target | undefined;
  readonly expiredMessage?: string;
}

export interface LinkOptions {
  /** Scheme and host under which clients reach this server. */
  readonly baseUrl: () => string;
  readonly mountPrefix: string;
  readonly linkKey: Buffer;
}

export class SignedLinks<Target, Validity extends Lifetime | void = Lifetime> {
  readonly #kind: LinkKind<Target, Validity>;
  readonly #scheme: SignatureScheme<Validity>;
  readonly #baseUrl: () => string;
  readonly #prefix: string;

  constructor(kind: LinkKind<Target, Validity>, { baseUrl, mountPrefix, linkKey }: LinkOptions) {
    this.#kind = kind;
    this.#scheme = kind.scheme(linkKey);
    this.#baseUrl = baseUrl;
    this.#prefix = mountPrefix + kind.prefix;
  }

  make(target: Target, validity: Validity): string {
    const baseUrl = this.#baseUrl();
    const { path, parameters = {} } = this.#kind.write(target);
    const request = { host: new URL(baseUrl).host, path: this.#prefix + path, parameters };
    return `${baseUrl}${request.path}?${this.#scheme.sign(request, validity)}`;
  }

  /** The target of a link, from the URL exactly as it was sent. */
  getTarget(originalUrl: string, nowMs: number): Target {
    const { path, query } = split(originalUrl);
    const request = { host: new URL(this.#baseUrl()).host, path };
    const verdict = this.#scheme.verify(query.slice(1), request, nowMs);
    if (verdict === 'altered') {
      const advice = 'Use the link exactly as you received it.';
      throw new Problem('credentials-invalid', `The signature does not match the URL. ${advice}`);
    }
    if (verdict === 'expired') {
      throw new Problem('credentials-expired', this.#kind.expiredMessage ?? 'The link has expired.');
    }
    const below = path.startsWith(this.#prefix) ? path.slice(this.#prefix.length) : '';
    const target = this.#kind.read(below, searchParams(query));
    if (target === undefined) throw new Problem('not-found', 'There is nothing at this link.');
    return target;
  }
}

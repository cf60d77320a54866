/** A route that answers short reads before Fastify sees them; `fast-path.ts` asks it. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { KeptBody } from '../compression.ts';
import type { LoggedRequest } from '../request-log.ts';

/** What our functions read of a request, under Fastify's names, so that both ways use the same functions. */
export interface FastRequest extends LoggedRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface FastAnswer extends KeptBody {
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface FastRoute {
  readonly operation: string;
  readonly scope: string;
  /** A whole path, or one that ends in `/*`. */
  readonly path: string;
  /**
   * The answer with status 200, where it is available without waiting, or when it is charged. Undefined or an error leave the request to
   * Fastify: nothing may have been charged or counted then.
   */
  readonly answer: (request: FastRequest) => FastAnswer | Promise<FastAnswer | undefined> | undefined;
}

export type ReadClientAddress = (raw: IncomingMessage) => string;

interface RouteOptions {
  readonly config: { readonly operation: string; readonly scope: string };
}

export class PlainRequest implements FastRequest {
  readonly id: string;
  readonly method = 'GET';
  readonly url: string;
  readonly routeOptions: RouteOptions;
  readonly problem = undefined;
  readonly operationName = undefined;
  username: string | undefined = undefined;
  readonly #raw: IncomingMessage;
  readonly #addressOf: ReadClientAddress;

  constructor(
    raw: IncomingMessage,
    url: string,
    options: RouteOptions,
    more: Pick<PlainRequest, 'id'> & { readonly addressOf: ReadClientAddress },
  ) {
    this.id = more.id;
    this.url = url;
    this.routeOptions = options;
    this.#raw = raw;
    this.#addressOf = more.addressOf;
  }

  get originalUrl(): string {
    return this.#raw.url ?? '/';
  }

  get headers(): IncomingHttpHeaders {
    return this.#raw.headers;
  }

  get ip(): string {
    return this.#addressOf(this.#raw);
  }
}

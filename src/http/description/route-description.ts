/** What a route declares about itself for the API description, besides what the server reads of it. */
import type { FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';

/** One of the paths that a wildcard stands for: `rrset/name/{owner}` in place of `*`. */
export interface PathTemplate {
  readonly path: string;
  readonly operationId: string;
  /** By the names in braces. */
  readonly params: Readonly<Record<string, TSchema>>;
}

/** How the API of a route words its errors. */
export type ErrorKind = 'platform' | 'batch' | 'pdns' | 'link';

declare module 'fastify' {
  interface FastifySchema {
    /** The route is not in the description. */
    readonly hide?: boolean;
    readonly operationId?: string;
    readonly tags?: readonly string[];
    readonly summary?: string;
    readonly description?: string;
    readonly deprecated?: boolean;
    readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
    readonly consumes?: readonly string[];
    readonly produces?: readonly string[];
    /** By default the one of the scope. */
    readonly errors?: ErrorKind;
    /** The whole wildcard is described by these. */
    readonly templates?: readonly PathTemplate[];
  }
}

/** A route as Fastify reports it. */
export interface DescribedRoute {
  readonly method: string | readonly string[];
  readonly url: string;
  readonly schema?: FastifySchema | undefined;
  readonly config?: { readonly scope?: string } | undefined;
}

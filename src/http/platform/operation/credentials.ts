/** Reads the credentials of a platform request from its headers and parameters; `authenticate` verifies them. */
import type { FastifyRequest } from 'fastify';
import type { Credentials } from '../../../product/account/authenticate.ts';
import { split, without } from '../../address.ts';
import { findText, type RawParameters } from './raw-parameters.ts';
import type { IdentityOf } from './request-identity.ts';

export interface SigningRules {
  /** Mount prefixes that clients may leave out of the path they sign. */
  readonly prefixes: readonly string[];
  readonly isWrite: boolean;
  readonly identityOf: IdentityOf;
  /** How often an identical signed read is accepted. */
  readonly identicalReadsMax: (request: FastifyRequest) => number;
}

export function readCredentials(
  request: FastifyRequest,
  raw: RawParameters,
  signing: SigningRules,
): Credentials {
  const signature = findText(raw, 'signature');
  const openKey = findText(raw, 'api_key');
  const username = findText(raw, 'api_username');
  return {
    ...(signature === undefined
      ? {}
      : {
          signed: {
            username,
            timestamp: findText(raw, 'timestamp'),
            signature,
            paths: signablePaths(request.originalUrl, signing.prefixes),
            use: {
              isWrite: signing.isWrite,
              identity: () => signing.identityOf(request, raw, signature),
              identicalReadsMax: signing.identicalReadsMax(request),
            },
          },
        }),
    ...readKeyHeaders(request),
    ...(openKey === undefined ? {} : { open: { username, key: openKey } }),
  };
}

/** `X-Api-Key` and HTTP Basic. */
export function readKeyHeaders({ headers }: FastifyRequest): Credentials {
  const { authorization } = headers;
  const basic = readBasic(authorization);
  return { ...headerKey(headers['x-api-key']), ...(basic ? { basic } : unacceptable(authorization)) };
}

function headerKey(header: string | string[] | undefined): Pick<Credentials, 'headerKey'> {
  return header === undefined || header === '' ? {} : { headerKey: String(header) };
}

/** A malformed Basic header still counts as credentials, and they are wrong. */
function readBasic(header: string | undefined): { username: string; key: string } | undefined {
  if (!/^basic\b/i.test(header ?? '')) return undefined;
  const text = Buffer.from(header?.slice('basic'.length).trim() ?? '', 'base64').toString('utf8');
  const colonAt = text.indexOf(':');
  return { username: text.slice(0, Math.max(0, colonAt)), key: text.slice(colonAt + 1) };
}

/** Names only well-known schemes: what stands in place of any other may be a key. */
function unacceptable(authorization = ''): Pick<Credentials, 'unacceptable'> {
  if (authorization === '') return {};
  const [, scheme] = /^(bearer|digest|token|apikey|negotiate) /i.exec(authorization) ?? [];
  return {
    unacceptable:
      scheme === undefined
        ? 'The Authorization header is not accepted in this form.'
        : `The Authorization scheme ${scheme} is not accepted here.`,
  };
}

function signablePaths(originalUrl: string, prefixes: readonly string[]): string[] {
  const { path } = split(originalUrl);
  const shorter = prefixes.map((prefix) => without(path, prefix)).filter((rest) => rest !== undefined);
  return [path, ...shorter];
}

/** Reads the credentials of a platform request from its headers and parameters; `authenticate` verifies them. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Credentials } from '../../../product/account/authenticate.ts';
import { split, without } from '../../address.ts';
import { emptyBody } from '../../raw-body.ts';
import { bodyOf, findText, type RawParameters } from './raw-parameters.ts';

export interface SigningRules {
  /** Mount prefixes that clients may leave out of the path they sign. */
  readonly prefixes: readonly string[];
  /** Rejects a signature that any earlier request used. */
  readonly singleUse: boolean;
}

export function readCredentials(
  request: FastifyRequest,
  raw: RawParameters,
  { prefixes, singleUse }: SigningRules,
): Credentials {
  const signature = findText(raw, 'signature');
  const openKey = findText(raw, 'api_key');
  const username = findText(raw, 'api_username');
  const basic = readBasic(request.headers.authorization);
  return {
    ...(signature === undefined
      ? {}
      : {
          signed: {
            username,
            timestamp: findText(raw, 'timestamp'),
            signature,
            paths: signablePaths(request.originalUrl, prefixes),
            requestId: requestId(request, raw),
            singleUse,
          },
        }),
    ...headerKey(request.headers['x-api-key']),
    ...(basic ? { basic } : {}),
    ...(openKey === undefined ? {} : { open: { username, key: openKey } }),
  };
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

function signablePaths(originalUrl: string, prefixes: readonly string[]): string[] {
  const { path } = split(originalUrl);
  const shorter = prefixes.map((prefix) => without(path, prefix)).filter((rest) => rest !== undefined);
  return [path, ...shorter];
}

/**
 * Identifies a request for replay protection by its meaning, not by its spelling: decoded parameters in order of name, and
 * the path without a mount prefix. A body that holds no parameters counts byte by byte.
 */
function requestId(request: FastifyRequest, raw: RawParameters): Buffer {
  const parameters = [...raw.values].sort(([left], [right]) => (left < right ? -1 : 1));
  const isOpaque =
    raw.bodyIsData || raw.fault !== undefined || request.sentContentType?.startsWith('text/plain');
  return createHash('sha256')
    .update(JSON.stringify([request.method, split(request.url).path, parameters]))
    .update(isOpaque ? bodyOf(request) : emptyBody)
    .digest();
}

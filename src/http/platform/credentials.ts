/** The credentials of a platform request, from its headers and parameters, for `authenticate` to judge. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Credentials } from '../../product/account/authenticate.ts';
import { split, without } from '../address.ts';
import { noBytes } from '../raw-body.ts';
import { bodyOf, findText, type Sent } from './sent.ts';

/** `singleUse`: a signature that was seen before, in whatever request, is not good enough. */
export function readCredentials(
  request: FastifyRequest,
  sent: Sent,
  { prefixes, singleUse }: { prefixes: readonly string[]; singleUse: boolean },
): Credentials {
  const signature = findText(sent, 'signature');
  const openKey = findText(sent, 'api_key');
  const username = findText(sent, 'api_username');
  const basic = readBasic(request.headers.authorization);
  return {
    ...(signature === undefined
      ? {}
      : {
          signed: {
            username,
            timestamp: findText(sent, 'timestamp'),
            signature,
            paths: signablePaths(request.originalUrl, prefixes),
            requestId: requestId(request, sent),
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

/** Basic that cannot be read is present all the same, and wrong. */
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
 * Tells a request from every other by what it says, not by how it is written: parameters decoded and in order of name,
 * the path without a mount prefix.
 * Text that holds no parameters counts as it is.
 */
function requestId(request: FastifyRequest, sent: Sent): Buffer {
  const said = [...sent.values].sort(([left], [right]) => (left < right ? -1 : 1));
  const unread =
    sent.bodyIsData || sent.fault !== undefined || request.sentContentType?.startsWith('text/plain');
  return createHash('sha256')
    .update(JSON.stringify([request.method, split(request.url).path, said]))
    .update(unread ? bodyOf(request) : noBytes)
    .digest();
}

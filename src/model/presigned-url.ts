/**
 * Presigned URLs: AWS Signature Version 4 in the query of a URL, as object stores sign downloads
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html). A URL is valid only exactly as it was made: reordered,
 * respelled, repeated or additional parameters make it an altered one.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** The access id is in every URL, so it must not be sensitive; the secret is never sent. */
export interface LinkSigner {
  readonly accessId: string;
  readonly secret: string;
  readonly region: string;
  readonly service: string;
}

/** What is signed besides the parameters. */
export interface SignedTarget {
  readonly method: string;
  /** As in a Host header: with the port unless it is the default. */
  readonly host: string;
  /** As sent; neither encoded nor decoded here. */
  readonly path: string;
}

const algorithm = 'AWS4-HMAC-SHA256';
const queryForm = /&X-Amz-Date=(\d{8}T\d{6}Z)&X-Amz-Expires=(\d{1,6})&/;

/** The query of the presigned URL, without its question mark. */
export function presignedQuery(
  target: SignedTarget,
  signer: LinkSigner,
  signedMs: number,
  lifetimeSeconds: number,
): string {
  const date = amzDate(signedMs);
  const scope = `${date.slice(0, 8)}/${signer.region}/${signer.service}/aws4_request`;
  const parameters = [
    ['X-Amz-Algorithm', algorithm],
    ['X-Amz-Credential', `${signer.accessId}/${scope}`],
    ['X-Amz-Date', date],
    ['X-Amz-Expires', String(lifetimeSeconds)],
    ['X-Amz-SignedHeaders', 'host'],
  ] as const;
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const canonical = [
    target.method,
    target.path,
    query,
    `host:${target.host}\n`,
    'host',
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const stringToSign = [algorithm, date, scope, hash('sha256', canonical)].join('\n');
  const signature = hmac(signingKey(signer, date), stringToSign).toString('hex');
  return `${query}&X-Amz-Signature=${signature}`;
}

/** Constant time for every query of the right length. */
export function verifyPresigned(
  query: string,
  target: SignedTarget,
  signer: LinkSigner,
  nowMs: number,
): 'valid' | 'expired' | 'altered' {
  const [, date = '', lifetime = ''] = queryForm.exec(query) ?? [];
  const signedMs = findAmzDateMs(date);
  if (signedMs === undefined) return 'altered';
  const expected = Buffer.from(presignedQuery(target, signer, signedMs, Number(lifetime)));
  const given = Buffer.from(query);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'altered';
  return nowMs < signedMs + Number(lifetime) * 1000 ? 'valid' : 'expired';
}

/** The signing key of one day, region and service. */
function signingKey({ secret, region, service }: LinkSigner, date: string): Buffer {
  const steps = [date.slice(0, 8), region, service, 'aws4_request'];
  return steps.reduce<Buffer>((key, step) => hmac(key, step), Buffer.from(`AWS4${secret}`));
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** `20130524T000000Z` */
function amzDate(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

function findAmzDateMs(date: string): number | undefined {
  const ms = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  return Number.isNaN(ms) ? undefined : ms;
}

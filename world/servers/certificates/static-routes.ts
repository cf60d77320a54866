/** How a log is read as tiles (https://c2sp.org/static-ct-api). */
import { hash } from 'node:crypto';
import type { Reply } from '../web/reply.ts';
import type { CertificateLog } from './certificate-log.ts';
import { tileLeaf, uint } from './log-entry.ts';
import { listOfRoots } from './rfc6962-routes.ts';

const tileWidth = 256;
const tileHeight = 8;
const levelMax = 5;
const signatureType = 0x05;
const immutable = { 'cache-control': 'public, max-age=604800, immutable' };

/** Undefined: there is no such path. */
export function answerInTiles(
  log: CertificateLog,
  issuers: readonly Buffer[],
  nowMs: number,
  path: string,
): Reply | undefined {
  if (path === '/checkpoint') return checkpoint(log, nowMs);
  if (path === '/ct/v1/get-roots') return listOfRoots(issuers.slice(-1));
  const [, fingerprint] = /^\/issuer\/([0-9a-f]{64})$/.exec(path) ?? [];
  if (fingerprint) return issuer(issuers, fingerprint);
  const tile = findTile(path);
  const body =
    tile && (tile.level === 'data' ? dataTile(log, issuers, tile) : hashTile(log, tile.level, tile));
  return body && { status: 200, type: 'application/octet-stream', body, headers: immutable };
}

/** A signed note of three lines; its signature holds the time and the signature of the tree head. */
function checkpoint(log: CertificateLog, nowMs: number): Reply {
  const { size, timestampMs, root, signature } = log.head(nowMs);
  const origin = `${log.host}${log.path}`;
  const keyId = hash(
    'sha256',
    Buffer.concat([Buffer.from(`${origin}\n`), Buffer.from([signatureType]), log.id]),
    'buffer',
  ).subarray(0, 4);
  const signed = Buffer.concat([keyId, uint(8, timestampMs), signature]).toString('base64');
  return {
    status: 200,
    type: 'text/plain; charset=utf-8',
    body: `${origin}\n${size}\n${root.toString('base64')}\n\n\u2014 ${origin} ${signed}\n`,
    headers: { 'cache-control': 'no-store' },
  };
}

function issuer(issuers: readonly Buffer[], fingerprint: string): Reply | undefined {
  const body = issuers.find((der) => hash('sha256', der) === fingerprint);
  return body && { status: 200, type: 'application/pkix-cert', body, headers: immutable };
}

interface Tile {
  readonly level: number | 'data';
  readonly index: number;
  readonly width: number;
}

/** `tile/0/x001/x234/067.p/12` */
function findTile(path: string): Tile | undefined {
  const match = /^\/tile\/(data|\d)\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path);
  if (!match) return undefined;
  const [, levelText = '', indexText = '', widthText] = match;
  const level = levelText === 'data' ? 'data' : Number(levelText);
  const width = widthText === undefined ? tileWidth : Number(widthText);
  if (indexText.startsWith('x000/') || (widthText !== undefined && width >= tileWidth)) return undefined;
  if (level !== 'data' && level > levelMax) return undefined;
  return { level, index: Number(indexText.replace(/[x/]/g, '')), width };
}

/** Undefined: the tree is not yet that wide. */
function hashTile(log: CertificateLog, level: number, { index, width }: Tile): Buffer | undefined {
  const height = level * tileHeight;
  const first = index * tileWidth;
  if (log.tree.findSubtree(height, first + width - 1) === undefined) return undefined;
  const hashes = Array.from({ length: width }, (_, at) => log.tree.findSubtree(height, first + at) as Buffer);
  return Buffer.concat(hashes);
}

function dataTile(
  log: CertificateLog,
  issuers: readonly Buffer[],
  { index, width }: Tile,
): Buffer | undefined {
  const first = index * tileWidth;
  if (first + width > log.entries.length) return undefined;
  const fingerprints = issuers.map((der) => hash('sha256', der, 'buffer'));
  const leaves = log.entries.slice(first, first + width);
  return Buffer.concat(leaves.map(({ entry, submission }) => tileLeaf(entry, submission, fingerprints)));
}

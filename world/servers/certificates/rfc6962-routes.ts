/** How a log is read after RFC 6962, section 4. */
import { inJson, inText, type Reply } from '../web/reply.ts';
import type { CertificateLog } from './certificate-log.ts';
import { extraData, treeLeaf } from './log-entry.ts';

const entriesMax = 64;

export interface LogRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly nowMs: number;
  /** The roots that the log accepts. */
  readonly roots: readonly Buffer[];
}

/** Undefined: there is no such path. */
export function answerByRfc6962(
  log: CertificateLog,
  { path, query, nowMs, roots }: LogRequest,
): Reply | undefined {
  if (path === '/ct/v1/get-sth') return signedHead(log, nowMs);
  if (path === '/ct/v1/get-entries') return entries(log, query);
  if (path === '/ct/v1/get-sth-consistency') return consistency(log, query);
  if (path === '/ct/v1/get-proof-by-hash') return proof(log, query);
  if (path === '/ct/v1/get-roots') return listOfRoots(roots);
  return undefined;
}

export function listOfRoots(roots: readonly Buffer[]): Reply {
  return inJson(200, { certificates: roots.map(inBase64) });
}

function signedHead(log: CertificateLog, nowMs: number): Reply {
  const { size, timestampMs, root, signature } = log.head(nowMs);
  return inJson(200, {
    tree_size: size,
    timestamp: timestampMs,
    sha256_root_hash: inBase64(root),
    tree_head_signature: inBase64(signature),
  });
}

function entries(log: CertificateLog, query: URLSearchParams): Reply {
  const [start, end] = [findWhole(query, 'start'), findWhole(query, 'end')];
  if (start === undefined || end === undefined || start > end) return inText(400, 'bad start or end');
  if (start >= log.entries.length) return inText(400, 'start is beyond the end of the log');
  const found = log.entries.slice(start, Math.min(end + 1, start + entriesMax));
  return inJson(200, {
    entries: found.map(({ entry, submission }) => ({
      leaf_input: inBase64(treeLeaf(entry)),
      extra_data: inBase64(extraData(submission)),
    })),
  });
}

function consistency(log: CertificateLog, query: URLSearchParams): Reply {
  const [first, second] = [findWhole(query, 'first'), findWhole(query, 'second')];
  if (first === undefined || second === undefined || first > second || second > log.tree.size)
    return inText(400, 'bad first or second');
  return inJson(200, { consistency: log.tree.consistencyProof(first, second).map(inBase64) });
}

function proof(log: CertificateLog, query: URLSearchParams): Reply {
  const size = findWhole(query, 'tree_size');
  if (size === undefined || size === 0 || size > log.tree.size) return inText(400, 'bad tree_size');
  const index = log.findIndex(Buffer.from(query.get('hash') ?? '', 'base64'));
  if (index === undefined || index >= size) return inText(404, 'no such leaf');
  return inJson(200, { leaf_index: index, audit_path: log.tree.inclusionProof(index, size).map(inBase64) });
}

function findWhole(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function inBase64(bytes: Buffer): string {
  return bytes.toString('base64');
}

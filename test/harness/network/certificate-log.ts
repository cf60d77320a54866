/**
 * A Certificate Transparency log that serves RFC 6962 and static-ct-api with entries that the test adds. Responses
 * can be overridden per path to simulate a misbehaving log. It has no Merkle tree, because proofs are not requested.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';

export interface TestEntry {
  readonly kind: 'certificate' | 'precertificate';
  /** A certificate, or its TBSCertificate. */
  readonly der: Uint8Array;
  readonly timestampMs?: number;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => boolean;

const u24 = (bytes: Uint8Array) =>
  Buffer.concat([Buffer.of(bytes.length >> 16, bytes.length >> 8, bytes.length), bytes]);

export function timestampedEntry({ kind, der, timestampMs = 1_700_000_000_000 }: TestEntry): Buffer {
  const head = Buffer.alloc(10);
  head.writeBigUInt64BE(BigInt(timestampMs));
  head.writeUInt16BE(kind === 'certificate' ? 0 : 1, 8);
  const keyHash = kind === 'certificate' ? Buffer.alloc(0) : Buffer.alloc(32, 7);
  return Buffer.concat([head, keyHash, u24(der), Buffer.of(0, 0)]);
}

export function leafOf(entry: TestEntry): Buffer {
  return Buffer.concat([Buffer.of(0, 0), timestampedEntry(entry)]);
}

export function tileLeafOf(entry: TestEntry): Buffer {
  const submitted = entry.kind === 'certificate' ? Buffer.alloc(0) : u24(Buffer.from('what was submitted'));
  return Buffer.concat([timestampedEntry(entry), submitted, Buffer.of(0, 32), Buffer.alloc(32, 9)]);
}

export class TestLog {
  readonly entries: TestEntry[] = [];
  /** Requested paths. */
  readonly requestedPaths: string[] = [];
  /** Maximum entries per response. */
  pageEntries = 256;
  isPacking = false;
  /** Answers instead of the log where it returns true. */
  misbehave: Handler = () => false;
  /** Overrides the size in the tree head. */
  claimedSize: number | undefined;
  readonly #key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly origin = 'log.example/test';
  url = '';

  get publicKey(): string {
    return this.#key.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  }

  get #size(): number {
    return this.claimedSize ?? this.entries.length;
  }

  /** Algorithms, length, signature over the head. */
  #signed(root: Buffer, timestampMs: number): Buffer {
    const head = Buffer.alloc(18);
    head[1] = 1;
    head.writeBigUInt64BE(BigInt(timestampMs), 2);
    head.writeBigUInt64BE(BigInt(this.#size), 10);
    const signature = sign('sha256', Buffer.concat([head, root]), this.#key.privateKey);
    return Buffer.concat([Buffer.of(4, 3, 0, signature.length), signature]);
  }

  treeHead(): string {
    const [root, timestampMs] = [createHash('sha256').update(String(this.#size)).digest(), 1_700_000_000_123];
    return JSON.stringify({
      tree_size: this.#size,
      timestamp: timestampMs,
      sha256_root_hash: root.toString('base64'),
      tree_head_signature: this.#signed(root, timestampMs).toString('base64'),
    });
  }

  checkpoint(): string {
    const [root, timestampMs] = [createHash('sha256').update(String(this.#size)).digest(), 1_700_000_000_123];
    const logId = createHash('sha256').update(Buffer.from(this.publicKey, 'base64')).digest();
    const keyId = createHash('sha256').update(`${this.origin}\n`).update(Buffer.of(5)).update(logId).digest();
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(timestampMs));
    const signature = Buffer.concat([keyId.subarray(0, 4), time, this.#signed(root, timestampMs)]);
    const witness = `— witness.example ${Buffer.alloc(76, 3).toString('base64')}\n`;
    return `${this.origin}\n${this.#size}\n${root.toString('base64')}\n\n${witness}— ${this.origin} ${signature.toString('base64')}\n`;
  }

  async serve(t: TestContext): Promise<this> {
    const server = createServer((request, response) => {
      this.requestedPaths.push(request.url ?? '');
      if (this.misbehave(request, response)) return;
      const body = this.#answer(new URL(request.url ?? '', 'http://log'));
      if (body === undefined) response.writeHead(404).end();
      else if (this.isPacking) response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
      else response.end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/2027`;
    return this;
  }

  #answer({ pathname, searchParams }: URL): string | Buffer | undefined {
    const path = pathname.replace('/2027/', '');
    if (path === 'ct/v1/get-sth') return this.treeHead();
    if (path === 'checkpoint') return this.checkpoint();
    if (path === 'ct/v1/get-entries') {
      const start = Number(searchParams.get('start'));
      const end = Math.min(Number(searchParams.get('end')) + 1, start + this.pageEntries);
      const entries = this.entries.slice(start, end).map((entry) => ({
        leaf_input: leafOf(entry).toString('base64'),
        extra_data: Buffer.alloc(40).toString('base64'),
      }));
      return JSON.stringify({ entries });
    }
    const [, digits = '', width] = /^tile\/data\/([x0-9/]+?)(?:\.p\/(\d+))?$/.exec(path) ?? [];
    if (digits === '') return undefined;
    const tile = Number(digits.replaceAll(/[x/]/g, ''));
    const all = this.entries.slice(tile * 256, (tile + 1) * 256);
    // A partial tile is gone once the tile is full, and a full tile does not exist before.
    if (width === undefined ? all.length < 256 : all.length === 256 || Number(width) > all.length)
      return undefined;
    return Buffer.concat(all.slice(0, Number(width ?? 256)).map(tileLeafOf));
  }
}

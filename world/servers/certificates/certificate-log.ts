/**
 * A log of certificates: entries in order, the tree over them, and a key that signs what was promised and how the tree stands. How it is read
 * over HTTP is in `rfc6962-routes.ts` and `static-routes.ts`. Every start of the world has logs of its own: they are kept in memory, and
 * a log that forgets is a liar, so the name of a log goes with its key.
 */
import { hash, sign } from 'node:crypto';
import type { KeyPair } from './authority.ts';
import { inOwnMemory } from './in-own-memory.ts';
import {
  leafIndexExtension,
  type Submission,
  timestampedEntry,
  treeLeaf,
  uint,
  withLength,
} from './log-entry.ts';
import { MerkleTree } from './merkle-tree.ts';

export type LogKind = 'static' | 'rfc6962';

export interface LogEntry {
  readonly submission: Submission;
  readonly timestampMs: number;
  /** `TimestampedEntry`. */
  readonly entry: Buffer;
}

export interface TreeHead {
  readonly size: number;
  readonly timestampMs: number;
  readonly root: Buffer;
  /** `digitally-signed`: algorithms, length, signature. */
  readonly signature: Buffer;
}

const headAgeMaxMs = 60_000;
const ecdsaWithSha256 = Buffer.from([4, 3]);

export class CertificateLog {
  readonly kind: LogKind;
  readonly name: string;
  readonly host: string;
  /** Where it is read, with a slash in front and none behind. */
  readonly path: string;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly id: Buffer;
  readonly tree = new MerkleTree();
  readonly entries: LogEntry[] = [];
  readonly #key: KeyPair;
  readonly #indexByHash = new Map<string, number>();
  #head: TreeHead | undefined;

  constructor(kind: LogKind, name: string, host: string, key: KeyPair) {
    this.kind = kind;
    this.publicKey = key.publicKey;
    this.id = hash('sha256', key.publicKey, 'buffer');
    const mark = this.id.toString('hex').slice(0, 8);
    this.name = `${name}-${mark}`;
    this.host = host;
    this.path = `/${mark}`;
    this.#key = key;
  }

  get url(): string {
    return `https://${this.host}${this.path}/`;
  }

  /** Gives the promise that the entry is there (`SignedCertificateTimestamp`), which it is already. */
  add(submission: Submission, timestampMs: number): Buffer {
    const extensions = this.kind === 'static' ? leafIndexExtension(this.entries.length) : Buffer.alloc(0);
    const entry = inOwnMemory(timestampedEntry(submission, timestampMs, extensions));
    const leaf = treeLeaf(entry);
    this.#indexByHash.set(this.tree.append(leaf).toString('base64'), this.entries.length);
    this.entries.push({ submission, timestampMs, entry });
    return Buffer.concat([
      Buffer.from([0]),
      this.id,
      uint(8, timestampMs),
      ...withLength(2, extensions),
      this.#sign(leaf),
    ]);
  }

  findIndex(leafHash: Buffer): number | undefined {
    return this.#indexByHash.get(leafHash.toString('base64'));
  }

  /** Signed anew when the tree has grown, or a minute has passed. */
  head(nowMs: number): TreeHead {
    const last = this.#head;
    const { size } = this.tree;
    if (last && last.size === size && nowMs - last.timestampMs < headAgeMaxMs) return last;
    const timestampMs = Math.max(nowMs, last?.timestampMs ?? 0, this.entries.at(-1)?.timestampMs ?? 0);
    const root = this.tree.root();
    const signed = Buffer.concat([Buffer.from([0, 1]), uint(8, timestampMs), uint(8, size), root]);
    this.#head = { size, timestampMs, root, signature: this.#sign(signed) };
    return this.#head;
  }

  #sign(content: Buffer): Buffer {
    return Buffer.concat([ecdsaWithSha256, ...withLength(2, sign('sha256', content, this.#key.privateKey))]);
  }
}

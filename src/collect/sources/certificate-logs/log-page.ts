/**
 * What a page of a log says: the answer to `get-entries`, or a data tile. An entry that cannot be read is passed over and counted; a page
 * whose entries cannot be told apart is no page at all.
 */
import { hash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { Problem } from '../../../model/problem.ts';
import { RecentNames } from '../recent-names.ts';
import { namesOfBody, namesOfCertificate } from './certificate-names.ts';
import { entryInTile, entryOfLeaf, type LogEntry } from './log-entry.ts';

export interface PageRequest {
  readonly kind: 'entries' | 'tile';
  readonly body: Uint8Array;
  readonly isPacked: boolean;
  /** Entries of a tile that were taken before. */
  readonly skip: number;
  /** Of the others no more are read. */
  readonly entriesMax: number;
}

export interface LogPage {
  /** How many are there, readable or not. */
  readonly entries: number;
  /** Certificates that did not come before as far as is remembered: one and its announcement are one. */
  readonly certificates: number;
  readonly malformed: number;
  readonly names: readonly string[];
  /** Of the last entry. */
  readonly timestampMs: number;
}

const unpackedBytesMax = 64 << 20;
const namesMax = 100_000;
const rememberedCertificates = 100_000;

export class PageReading {
  readonly #seen = new RecentNames(rememberedCertificates);

  /** Throws the Problem `unavailable` for what is no page. */
  read(request: PageRequest): LogPage {
    const page = new Page(this.#seen);
    const bytes = unpacked(request);
    if (request.kind === 'tile') readTile(bytes, request, page);
    else readEntries(bytes, request, page);
    return page.done();
  }
}

class Page {
  readonly #seen: RecentNames;
  readonly #names = new Set<string>();
  #entries = 0;
  #certificates = 0;
  #malformed = 0;
  #timestampMs = 0;

  constructor(seen: RecentNames) {
    this.#seen = seen;
  }

  add(bytes: Buffer, entry: LogEntry | undefined): void {
    this.#entries += 1;
    const read = entry?.kind === 'precertificate' ? namesOfBody : namesOfCertificate;
    const certificate = entry && read(bytes, entry.from, entry.to);
    if (!entry || !certificate) {
      this.#malformed += 1;
      return;
    }
    this.#timestampMs = entry.timestampMs;
    for (const name of certificate.names) if (this.#names.size < namesMax) this.#names.add(name);
    const key = hash('sha256', certificate.identity, 'binary');
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#certificates += 1;
  }

  done(): LogPage {
    return {
      entries: this.#entries,
      certificates: this.#certificates,
      malformed: this.#malformed,
      names: [...this.#names],
      timestampMs: this.#timestampMs,
    };
  }
}

function unpacked({ body, isPacked }: PageRequest): Buffer {
  if (!isPacked) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  try {
    return gunzipSync(body, { maxOutputLength: unpackedBytesMax });
  } catch (error) {
    throw new Problem('unavailable', `a page cannot be unpacked: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function readTile(bytes: Buffer, { skip, entriesMax }: PageRequest, page: Page): void {
  let at = 0;
  for (let index = 0; index < skip + entriesMax; index += 1) {
    const entry = entryInTile(bytes, at);
    if (!entry)
      throw new Problem('unavailable', `entry ${index} of a tile of ${bytes.length} bytes cannot be read`);
    if (index >= skip) page.add(bytes, entry);
    at = entry.end;
  }
}

function readEntries(bytes: Buffer, { entriesMax }: PageRequest, page: Page): void {
  for (const entry of listedEntries(bytes).slice(0, entriesMax)) {
    const { leaf_input: leaf } = (entry ?? {}) as { leaf_input?: unknown };
    const leafBytes = Buffer.from(typeof leaf === 'string' ? leaf : '', 'base64');
    page.add(leafBytes, entryOfLeaf(leafBytes));
  }
}

function listedEntries(bytes: Buffer): readonly unknown[] {
  try {
    const { entries } = JSON.parse(bytes.toString('latin1')) as { entries?: unknown };
    if (Array.isArray(entries) && entries.length > 0) return entries;
  } catch {
    // Said below.
  }
  throw new Problem('unavailable', 'the log gives no entries');
}

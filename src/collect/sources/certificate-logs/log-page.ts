/**
 * Parses a page of a log: the response to `get-entries`, or a data tile. A malformed entry is skipped and counted; a page whose
 * entries cannot be delimited is refused.
 */
import { hash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { Problem } from '../../../model/problem.ts';
import { RecentNames } from '../recent-names.ts';
import { namesOfCertificate, namesOfTbsCertificate } from './certificate-names.ts';
import { entryInTile, entryOfLeaf, type LogEntry } from './log-entry.ts';

export interface PageRequest {
  readonly kind: 'entries' | 'tile';
  readonly body: Uint8Array;
  readonly isGzipped: boolean;
  /** Entries of a tile that were ingested before. */
  readonly skip: number;
  /** Entries to read after those. */
  readonly entriesMax: number;
}

export interface LogPage {
  /** Number of entries, malformed ones included. */
  readonly entries: number;
  /** Certificates not seen recently; a certificate and its precertificate are one. */
  readonly certificates: number;
  readonly malformed: number;
  readonly names: readonly string[];
  /** Of the last entry. */
  readonly timestampMs: number;
}

const gunzippedBytesMax = 64 << 20;
const namesMax = 100_000;
const rememberedCertificates = 100_000;

export class PageParser {
  readonly #seen = new RecentNames(rememberedCertificates);

  /** Throws the Problem `unavailable` for bytes that are not a page. */
  read(request: PageRequest): LogPage {
    const page = new Page(this.#seen);
    const bytes = gunzipped(request);
    if (request.kind === 'tile') readTile(bytes, request, page);
    else readEntries(bytes, request, page);
    return page.result();
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
    const read = entry?.kind === 'precertificate' ? namesOfTbsCertificate : namesOfCertificate;
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

  result(): LogPage {
    return {
      entries: this.#entries,
      certificates: this.#certificates,
      malformed: this.#malformed,
      names: [...this.#names],
      timestampMs: this.#timestampMs,
    };
  }
}

function gunzipped({ body, isGzipped }: PageRequest): Buffer {
  if (!isGzipped) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  try {
    return gunzipSync(body, { maxOutputLength: gunzippedBytesMax });
  } catch (error) {
    throw new Problem('unavailable', `a page cannot be decompressed: ${(error as Error).message}`, {
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
    // Falls through to the error below.
  }
  throw new Problem('unavailable', 'the log returned no entries');
}

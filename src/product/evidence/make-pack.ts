/** Makes the ZIP of an evidence pack. It takes seconds for a large one, so it runs in a thread (`pack-worker.ts`). */
import { createPrivateKey, createPublicKey, hash, sign } from 'node:crypto';
import { type Zippable, zipSync } from 'fflate';
import {
  type Manifest,
  type ManifestItem,
  manifestPath,
  packFormat,
  publicKeyPath,
  signaturePath,
} from '../../model/evidence/manifest.ts';
import type { PackFacts, SourceItem, SubjectFacts } from './pack-facts.ts';
import { instant, unicodeName } from './plain-text.ts';
import { redirectsOf } from './redirects.ts';
import { makeReport } from './report/make-report.ts';
import { sharedValues } from './shared-values.ts';
import { keyFingerprint, publicKeyPem } from './signing-key.ts';
import { verifyInstructions } from './verify-instructions.ts';

interface PackFile {
  readonly bytes: Uint8Array;
  readonly item: ManifestItem;
}

const extensions: Readonly<Record<string, string>> = {
  rdap: 'json',
  dns: 'json',
  whois: 'txt',
  'http-head': 'txt',
  'http-body': 'bin',
  certificate: 'der',
  screenshot: 'png',
};

/** `key`: the private key, PKCS #8 in DER. */
export async function makePack(facts: PackFacts, key: Uint8Array): Promise<Uint8Array> {
  const privateKey = createPrivateKey({ key: Buffer.from(key), format: 'der', type: 'pkcs8' });
  const fingerprint = keyFingerprint(createPublicKey(privateKey));
  const sources = facts.subjects.map((subject) =>
    subject.items.map((item, at) => sourceFile(subject, item, at)),
  );
  const files = sources.flat();
  const listed = facts.subjects.map((subject, at) => ({
    subject,
    files: (sources[at] ?? []).map(({ item }) => item),
  }));
  const report = await makeReport(facts, listed, fingerprint);
  files.push(
    ownFile('evidence.json', 'findings', 'application/json', jsonBytes(findings(facts, listed))),
    ownFile('report.pdf', 'report', 'application/pdf', report),
    ownFile(publicKeyPath, 'key', 'application/x-pem-file', Buffer.from(publicKeyPem(privateKey))),
    ownFile('VERIFY.txt', 'instructions', 'text/plain', Buffer.from(verifyInstructions(fingerprint))),
  );
  const sums = files.map(({ item }) => `${item.sha256}  ${item.path}\n`).join('');
  files.push(ownFile('SHA256SUMS', 'checksums', 'text/plain', Buffer.from(sums)));
  const manifest: Manifest = {
    format: packFormat,
    pack: facts.id,
    created: instant(facts.madeMs),
    server: facts.server,
    recipient: facts.recipient,
    domains: facts.subjects.map(({ domain }) => ({ domain, unicode: unicodeName(domain) })),
    key: { algorithm: 'Ed25519', fingerprint },
    items: files.map(({ item }) => item),
  };
  const signed = jsonBytes(manifest);
  return zipped(facts.madeMs, [
    [manifestPath, signed],
    [signaturePath, sign(null, signed, privateKey)],
    ...files.map(({ item, bytes }) => [item.path, bytes] as const),
  ]);
}

function sourceFile({ domain }: SubjectFacts, source: SourceItem, at: number): PackFile {
  const { kind, bytes, collector, asked, address, request, mediaType, isTruncated } = source;
  const sha256 = hash('sha256', bytes);
  const folder = kind === 'screenshot' ? 'screenshots' : 'raw';
  const name = `${String(at + 1).padStart(2, '0')}-${kind}-${sha256.slice(0, 12)}`;
  return {
    bytes,
    item: {
      path: `${folder}/${domain}/${name}.${extensions[kind] ?? 'bin'}`,
      sha256,
      bytes: bytes.length,
      media_type: mediaType,
      domain,
      kind,
      collector,
      asked,
      ...(address === undefined ? {} : { address }),
      request,
      first_seen: instant(source.firstMs),
      last_seen: instant(source.seenMs),
      truncated: isTruncated,
    },
  };
}

function ownFile(path: string, kind: string, mediaType: string, bytes: Uint8Array): PackFile {
  return {
    bytes,
    item: { path, sha256: hash('sha256', bytes), bytes: bytes.length, media_type: mediaType, kind },
  };
}

export interface ListedSubject {
  readonly subject: SubjectFacts;
  readonly files: readonly ManifestItem[];
}

function findings(facts: PackFacts, listed: readonly ListedSubject[]) {
  const { id, madeMs, server, recipient, note } = facts;
  return {
    pack: id,
    created: instant(madeMs),
    server,
    recipient,
    note,
    shared: sharedValues(facts.subjects),
    domains: listed.map(({ subject, files }) => ({
      domain: subject.domain,
      unicode: unicodeName(subject.domain),
      risk: subject.risk,
      lookalikes: subject.lookalikes,
      abuse_contacts: subject.abuseContacts,
      redirects: redirectsOf(subject.items),
      certificates: subject.record?.ssl_info ?? [],
      timeline: subject.timeline.map(({ atMs, ...change }) => ({ at: instant(atMs), ...change })),
      files: files.map(({ path }) => path),
      files_left_out: subject.leftOut,
      record: subject.record ?? null,
    })),
  };
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

/** Pictures and documents are compressed already. */
function zipped(madeMs: number, files: readonly (readonly [path: string, bytes: Uint8Array])[]): Uint8Array {
  const entries: Zippable = {};
  for (const [path, bytes] of files)
    entries[path] = [bytes, { level: /\.(?:png|pdf)$/.test(path) ? 0 : 6, mtime: madeMs }];
  return zipSync(entries);
}

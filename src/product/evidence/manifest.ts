/** The manifest of a pack: every file with its checksum, and where it comes from. Its bytes are what is signed. */
import { type Static, Type } from 'typebox';

export const packFormat = 'nameglass-evidence-1';
export const manifestPath = 'manifest.json';
export const signaturePath = 'manifest.json.sig';
export const publicKeyPath = 'public-key.pem';

const text = Type.String();

const ManifestItem = Type.Object({
  path: Type.String({ pattern: '^[a-z0-9][A-Za-z0-9._/-]{0,299}$|^SHA256SUMS$|^VERIFY\\.txt$' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  bytes: Type.Integer({ minimum: 0 }),
  media_type: text,
  domain: Type.Optional(text),
  kind: text,
  collector: Type.Optional(text),
  asked: Type.Optional(text),
  address: Type.Optional(text),
  request: Type.Optional(text),
  first_seen: Type.Optional(text),
  last_seen: Type.Optional(text),
  truncated: Type.Optional(Type.Boolean()),
});

export const Manifest = Type.Object({
  format: Type.Literal(packFormat),
  pack: text,
  created: text,
  server: text,
  recipient: text,
  domains: Type.Array(Type.Object({ domain: text, unicode: text })),
  key: Type.Object({ algorithm: Type.Literal('Ed25519'), fingerprint: text }),
  items: Type.Array(ManifestItem),
});

export type ManifestItem = Static<typeof ManifestItem>;
export type Manifest = Static<typeof Manifest>;

/**
 * The files of the web UI as `npm run build` makes them, read once at start: requests are answered from this map, so no path of a request is
 * ever joined with a directory. `x.br` and `x.gz` are the compressed forms of `x`.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface AppFile {
  readonly contentType: string;
  readonly etag: string;
  /** Its name has a digest of its content, so it never changes. */
  readonly isImmutable: boolean;
  readonly plain: Buffer;
  readonly br?: Buffer | undefined;
  readonly gzip?: Buffer | undefined;
}

/** By path below `/ui/`. */
export type AppFiles = ReadonlyMap<string, AppFile>;

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

export const entryPage = 'index.html';

/** Empty where the app was not built. */
export function readAppFiles(directory: string): AppFiles {
  if (!existsSync(join(directory, entryPage))) return new Map();
  const names = globSync('**/*', { cwd: directory }).map((name) => name.replaceAll('\\', '/'));
  const served = names.filter(
    (name) => contentTypes[extname(name)] !== undefined && statSync(join(directory, name)).isFile(),
  );
  return new Map(served.map((name) => [name, readAppFile(directory, name, names)]));
}

function readAppFile(directory: string, name: string, names: readonly string[]): AppFile {
  const read = (file: string) => (names.includes(file) ? readFileSync(join(directory, file)) : undefined);
  const plain = readFileSync(join(directory, name));
  return {
    contentType: contentTypes[extname(name)] as string,
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`,
    isImmutable: name.startsWith('assets/'),
    plain,
    br: read(`${name}.br`),
    gzip: read(`${name}.gz`),
  };
}

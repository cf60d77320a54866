/**
 * `npm run build`: makes `web/dist`, the app that the server serves below `/ui/`, with a brotli and a gzip form of every file that gains by it,
 * and the licences of all packages in it. A build that is larger than its budget fails.
 */
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { type Manifest, overBudget } from './web-budget.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'web/dist');
/** Built beside it and then renamed: a server that starts in between reads a whole one. */
const fresh = join(root, `web/dist-${process.pid}`);

const compressible = /\.(?:js|css|html|svg|txt)$/;
/** Fonts come in through style sheets, which the bundler's own list of licences does not cover. */
const fonts = ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono'];

interface Licence {
  readonly name: string;
  readonly version: string;
  readonly identifier: string | null;
  readonly text?: string;
}

function writeLicences(): void {
  const listed = join(fresh, 'licences.json');
  const bundled = JSON.parse(readFileSync(listed, 'utf8')) as Licence[];
  const ofFonts = fonts.map((name): Licence => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      version: string;
      license: string;
    };
    return { name, version, identifier: license, text: readFileSync(join(folder, 'LICENSE'), 'utf8') };
  });
  const parts = [...bundled, ...ofFonts].map(
    ({ name, version, identifier, text }) =>
      `${name} ${version} (${identifier ?? 'no identifier'})\n\n${text ?? ''}`,
  );
  rmSync(listed);
  writeFileSync(
    join(fresh, 'licences.txt'),
    `The Nameglass web UI contains these packages.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`,
  );
}

function compress(): void {
  for (const file of globSync('**/*', { cwd: fresh }).filter((name) => compressible.test(name))) {
    const bytes = readFileSync(join(fresh, file));
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    writeFileSync(join(fresh, `${file}.br`), brotliCompressSync(bytes, quality));
    writeFileSync(join(fresh, `${file}.gz`), gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}

async function buildWeb(): Promise<readonly string[]> {
  await build({
    configFile: join(root, 'web/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: fresh },
  });
  writeLicences();
  compress();
  const manifestFile = join(fresh, 'manifest.json');
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest;
  rmSync(manifestFile);
  const sizeOf = (file: string): number => {
    const [plain, gzipped] = [join(fresh, file), join(fresh, `${file}.gz`)];
    return statSync(existsSync(gzipped) ? gzipped : plain).size;
  };
  return overBudget(manifest, sizeOf);
}

try {
  const over = await buildWeb();
  if (over.length > 0) {
    console.error(`The web UI is larger than its budget (scripts/web-budget.ts):\n  ${over.join('\n  ')}`);
    process.exitCode = 1;
  } else {
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
  }
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

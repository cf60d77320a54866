/**
 * `npm run build`: makes `dist/`, compiled JavaScript, which is what an installed package and `npm start` run, and tests that start commands
 * and servers: it starts in half the time and takes less memory, and Node does not strip types below `node_modules`. Everything else in the
 * repository runs from the sources. Beside
 * it `clients/typescript/dist/`, the client library as a package of its own. With `--server` there is only the server.
 *
 * Every program that we start as a thread or as a process of its own is an entry point. All code in `dist/` is side by side, so that the
 * paths between programs and to the assets (`src/asset-path.ts`) are the same from each.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type InputOption, type Plugin, rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const serverOnly = process.argv[2] === '--server';
/** `--server DIRECTORY` builds it there, for a run of tests. Right below the root, where the assets have the same path. */
const dist = join(root, process.argv[3] ?? 'dist');
/** Built beside it and then renamed, so that `dist` is never half built. */
const fresh = join(root, `dist-${process.pid}`);

/** How the sources name a program that they start: `new URL('./x-worker.ts', import.meta.url)`, `import.meta.dirname, '../world/main.ts'`. */
const startedProgram = /(new URL\(\s*|import\.meta\.dirname,\s*)'([^']+\.ts)'/g;

/** The name in `dist` of a program, after its file; `main.ts` of the world is named after its folder. */
function nameOf(file: string): string {
  const name = basename(file, '.ts');
  return name === 'main' && dirname(file) !== join(root, 'src') ? basename(dirname(file)) : name;
}

function startedPrograms(): Readonly<Record<string, string>> {
  const programs: Record<string, string> = { main: join(root, 'src/main.ts') };
  for (const file of globSync('{src,world}/**/*.ts', { cwd: root }).map((name) => join(root, name)))
    for (const [, , path = ''] of readFileSync(file, 'utf8').matchAll(startedProgram)) {
      const program = resolve(dirname(file), path);
      const name = nameOf(program);
      if ((programs[name] ?? program) !== program)
        throw new Error(`${program} and ${programs[name]} would have the same name in dist`);
      programs[name] = program;
    }
  return programs;
}

const namesOfPrograms: Plugin = {
  name: 'names of started programs',
  transform: (code, id) =>
    code.replaceAll(
      startedProgram,
      (_, before: string, path: string) => `${before}'./${nameOf(resolve(dirname(id), path))}.js'`,
    ),
};

/** Of the hundreds of modules of this one we use a few; loading all took 9 MB in each process. Its licence is in NOTICE. */
const bundledPackage = /^typebox(\/|$)/;

/** Packages stay packages: npm installs them beside us. */
const isPackage = (id: string): boolean => !/^[./]/.test(id) && !bundledPackage.test(id);

async function bundle(input: InputOption): Promise<void> {
  const build = await rolldown({
    input,
    platform: 'node',
    external: isPackage,
    tsconfig: false,
    plugins: [namesOfPrograms],
  });
  await build.write({
    dir: fresh,
    format: 'esm',
    cleanDir: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // V8 keeps the text of every module: comments count, and with one character that is not in ASCII each takes two bytes.
    comments: { legal: true, annotation: false, jsdoc: false },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  });
  await build.close();
}

const client = 'src/client/nameglass-client.ts';

/** The declarations of the client library, in `dist/types/`. */
function writeDeclarations(): void {
  const types = join(fresh, 'types');
  const kind = ['--target', 'es2024', '--lib', 'es2024,dom,dom.iterable,dom.asynciterable'];
  const style = ['--module', 'nodenext', '--types', '', '--strict', '--rewriteRelativeImportExtensions'];
  const output = ['--declaration', '--emitDeclarationOnly', '--rootDir', dirname(client), '--outDir', types];
  const { status } = spawnSync(
    join(root, 'node_modules/.bin/tsc'),
    ['--ignoreConfig', ...kind, ...style, ...output, client],
    { cwd: root, stdio: 'inherit' },
  );
  if (status !== 0) throw new Error('the declarations of the client library could not be made');
  // The compiler rewrites extensions in code, and leaves them in declarations.
  for (const file of globSync('*.d.ts', { cwd: types }).map((name) => join(types, name)))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.\/[^']+)\.ts'/g, "$1.js'"));
}

function writeClientPackage(): void {
  const own = join(root, 'clients/typescript/dist');
  rmSync(own, { recursive: true, force: true });
  cpSync(join(dist, 'client.js'), join(own, 'client.js'));
  cpSync(join(dist, 'types'), join(own, 'types'), { recursive: true });
}

try {
  await bundle(startedPrograms());
  if (!serverOnly) {
    // By itself, so that it shares no file with the rest and runs where Node's modules are not.
    await bundle({ client: join(root, client) });
    writeDeclarations();
  }
  rmSync(dist, { recursive: true, force: true });
  renameSync(fresh, dist);
  if (!serverOnly) writeClientPackage();
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

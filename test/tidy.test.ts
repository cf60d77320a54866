/** What no single test can hold: who may import whom, how the tree is laid out, and which words it is written in. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { retiredWords } from './tidy/retired-words.ts';
import { importsOf, list, read, roomOf, root, sources } from './tidy/source-tree.ts';

/** What each room of `src` may import besides itself. A room comes after all rooms it imports, so there is no circle. */
const mayImport: readonly (readonly [room: string, imports: readonly string[]])[] = [
  ['asset-path', []],
  ['client', []],
  ['model', []],
  ['config', ['model']],
  ['concurrency', ['model']],
  ['log-writer', ['model', 'concurrency']],
  ['log', ['model', 'log-writer']],
  ['store', ['model', 'concurrency']],
  ['stores', ['store']],
  ['store/embedded', ['asset-path', 'model', 'concurrency', 'store', 'stores']],
  ['store/distributed', ['asset-path', 'model', 'concurrency', 'store', 'stores']],
  ['store-copy', ['model', 'concurrency', 'store', 'store/embedded', 'store/distributed']],
  ['outgoing', ['model', 'concurrency']],
  ['collect', ['model', 'concurrency', 'store', 'outgoing']],
  ['product', ['asset-path', 'model', 'concurrency', 'store', 'outgoing']],
  ['pipeline', ['model', 'concurrency', 'store', 'stores', 'outgoing', 'collect', 'product']],
  ['http', ['model', 'concurrency', 'store', 'stores', 'product']],
  ['zone-transfer', ['model', 'concurrency', 'store', 'product']],
  ['supervisor', ['model', 'concurrency']],
  [
    'tools/risk-model',
    [
      'model',
      'concurrency',
      'store',
      'stores',
      'store/embedded',
      'outgoing',
      'collect',
      'pipeline',
      'config',
    ],
  ],
  [
    'cli',
    [
      'asset-path',
      'client',
      'model',
      'concurrency',
      'store',
      'stores',
      'collect',
      'product',
      'pipeline',
      'supervisor',
      'config',
      'tools/risk-model',
    ],
  ],
  [
    'service',
    [
      'model',
      'store',
      'stores',
      'store/embedded',
      'product',
      'pipeline',
      'http',
      'zone-transfer',
      'supervisor',
      'cli',
      'log',
    ],
  ],
  [
    'main',
    [
      'asset-path',
      'model',
      'store',
      'stores',
      'store/embedded',
      'store/distributed',
      'store-copy',
      'product',
      'pipeline',
      'http',
      'supervisor',
      'cli',
      'service',
      'config',
      'log',
    ],
  ],
];

const rooms = new Map(mayImport);
/** In the table `product` stands for every product; a product may not import another one. */
const rowOf = (room: string) => (room.startsWith('product/') ? 'product' : room);

test('every import, dynamic ones and worker threads included, follows the table of rooms', () => {
  const wrong = [...sources, ...list('tools/risk-model/*.ts')].flatMap((file) => {
    const from = roomOf(file);
    const allowed = rooms.get(rowOf(from));
    assert.ok(allowed, `${from} is not in the table`);
    return importsOf(file)
      .filter((target) => roomOf(target) !== from && !allowed.includes(rowOf(roomOf(target))))
      .map((target) => `${file} imports ${target}`);
  });
  assert.deepEqual(wrong, []);
});

test('the table of rooms has no circle: a room imports only rooms above it', () => {
  const order = mayImport.map(([room]) => room);
  const upward = mayImport.flatMap(([room, imports]) =>
    imports
      .filter((other) => !order.slice(0, order.indexOf(room)).includes(other))
      .map((other) => `${room} → ${other}`),
  );
  assert.deepEqual(upward, []);
});

test('imports are really read: a static one, a dynamic one and a worker thread are seen', () => {
  assert.ok(importsOf('src/main.ts').includes('src/store/embedded/open-stores.ts'));
  assert.ok(importsOf('src/service/start-front.ts').includes('src/http/server.ts'));
  assert.ok(sources.some((file) => importsOf(file).some((target) => target.endsWith('discovery-worker.ts'))));
});

test('the world imports the model alone, and nothing in src imports the world', () => {
  const ofWorld = list('world/**/*.ts').flatMap((file) =>
    importsOf(file).filter((target) => !/^(?:world|src\/model)\//.test(target)),
  );
  const toWorld = sources.filter((file) => importsOf(file).some((target) => target.startsWith('world/')));
  assert.deepEqual([ofWorld, toWorld], [[], []]);
});

test('the web UI knows nothing of src but the types of its own answers and what Triage and the check of evidence packs share with the command line, and nothing else imports the web UI', () => {
  const files = list('web/src/**/*.{ts,tsx}');
  const ofWeb = files.flatMap((file) =>
    [...read(file).matchAll(/^(import|export)\s([^;]*?)from '(\.[^']+)';/gms)]
      .map(([, , what = '', path = '']) => [what, relative(root, resolve(root, file, '..', path))] as const)
      .filter(
        ([what, target]) =>
          !target.startsWith('web/') &&
          !target.startsWith('src/model/triage/') &&
          target !== 'src/model/evidence/verify-pack.ts' &&
          !(what.startsWith('type ') && /^src\/http\/web\/.+-wire\.ts$/.test(target)),
      )
      .map(([, target]) => `${file} imports ${target}`),
  );
  const toWeb = sources.filter((file) => importsOf(file).some((target) => target.startsWith('web/')));
  assert.ok(files.length > 20);
  assert.deepEqual([ofWeb, toWeb], [[], []]);
});

const within = (folder: string) => sources.filter((file) => file.startsWith(folder));

const reserved: readonly (readonly [what: string, pattern: RegExp, owners: readonly string[]])[] = [
  [
    'the time of day is read in main.ts alone, and in the client, which is a library for other programs',
    /\bDate\.now\(|\bnew Date\(\)/,
    ['src/main.ts', ...within('src/client/')],
  ],
  ['the environment is read in main.ts alone', /\bprocess\.env\b/, ['src/main.ts']],
  [
    'SQL is written in the adapters of the stores alone, and in what copies one to the other',
    /\b(?:select|insert into|update|delete from)\s.*\b(?:from|values|set|where)\b/,
    [
      ...within('src/store/embedded/'),
      ...within('src/store/distributed/'),
      ...within('src/store-copy/tables/'),
    ],
  ],
  [
    'connections to PostgreSQL are made in one file',
    /import (?!type\b)[^;]* from 'pg'/,
    ['src/store/distributed/postgres/connection-pool.ts'],
  ],
  ['SQLite is opened in one file', /from 'better-sqlite3'/, ['src/store/embedded/database.ts']],
  [
    'connections to others are made in outgoing/ alone, in the client, to the server that its user names, and to S3 and ClickHouse, which the operator names',
    /\bfetch\(|from 'nodemailer'|import \{[^}]*\brequest\b[^}]*\} from '(?:node:https?|[./\w-]*\/node-http\.ts)'|\bcreateConnection\(|\bnet\.connect\(/,
    [
      ...within('src/outgoing/'),
      ...within('src/client/'),
      ...within('src/store/distributed/s3/'),
      ...within('src/store/distributed/clickhouse/'),
    ],
  ],
  ['Fastify is known in http/ alone', /from 'fastify'/, within('src/http/')],
  [
    'node:http is taken in one file, because an import of it loads a WebSocket client',
    /import (?!type\b)[^;]* from 'node:http'|getBuiltinModule\('node:http'\)/,
    ['src/outgoing/node-http.ts'],
  ],
  [
    'durations have one home',
    /\b(?:86_400_000|86400000|3_600_000|604_800_000)\b/,
    ['src/model/durations.ts', ...within('src/model/time/')],
  ],
];

for (const [what, pattern, owners] of reserved) {
  test(what, () => {
    assert.ok(
      owners.some((file) => existsSync(join(root, file)) && pattern.test(read(file))),
      'the pattern finds its owner',
    );
    const others = sources.filter((file) => !owners.includes(file) && pattern.test(read(file)));
    assert.deepEqual(others, []);
  });
}

test('no TODO is left in the sources', () => {
  assert.deepEqual(
    sources.filter((file) => /\b(?:TODO|FIXME|XXX)\b/.test(read(file))),
    [],
  );
});

const codeFolders = '{src,test,world,bench,tools,scripts,web/src}/**/*.{ts,tsx}';

test('no folder has more than 25 files of its own', () => {
  const counts = Map.groupBy(list(codeFolders), dirname);
  const crowded = [...counts]
    .filter(([, files]) => files.length > 25)
    .map(([folder, { length }]) => `${folder}: ${length}`);
  assert.deepEqual(crowded, []);
});

test('no file stands beside a folder of the same name', () => {
  const folders = new Set(list(codeFolders).map(dirname));
  assert.deepEqual(
    list(codeFolders).filter((file) => folders.has(file.replace(/\.tsx?$/, ''))),
    [],
  );
});

test('files are named in kebab-case after what they export, and none is a drawer for leftovers', () => {
  const drawers = /^(?:utils?|helpers?|common|types|misc|index)$/;
  const badly = list(codeFolders).filter((file) => {
    const name = basename(file).replace(/(?:\.test|\.bench|\.check)?\.tsx?$/, '');
    return drawers.test(name) || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
  });
  assert.deepEqual(badly, []);
});

test('a file of fewer than ten lines has several users; with one user it would be part of it', () => {
  const users = Map.groupBy(
    sources.flatMap((file) => [...new Set(importsOf(file))]),
    (target) => target,
  );
  const entryPoints = /(?:-thread|-worker)\.ts$|^src\/main\.ts$/;
  const lonely = sources.filter(
    (file) =>
      !entryPoints.test(file) && read(file).split('\n').length - 1 < 10 && (users.get(file)?.length ?? 0) < 2,
  );
  assert.deepEqual(lonely, []);
});

for (const { word, instead, pattern, isFine } of retiredWords) {
  test(`retired: ${word} (write ${instead})`, () => {
    const found = list('{src,test,world,bench,tools,scripts,bin,web/src}/**/*.{ts,tsx,js,mjs}')
      .concat(list('*.md'), list('docs/**/*.md'))
      .filter((file) => !isExempt(file))
      .flatMap((file) => {
        const lines = [file, ...read(file).split('\n')];
        return lines.flatMap((line, number) =>
          pattern.test(line) && !isFine?.(line, file)
            ? [`${file}:${number}: ${line.trim().slice(0, 140)}`]
            : [],
        );
      });
    assert.deepEqual(found, []);
  });
}

/** The contract's own sentences, the page that lists the words, and this list. */
function isExempt(file: string): boolean {
  return ['docs/api/rules.md', 'docs/glossary.md', 'CHANGELOG.md', 'test/tidy/retired-words.ts'].includes(
    file,
  );
}

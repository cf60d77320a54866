/**
 * Extracting names from pages of certificate logs. The world's own logs make the pages, as tiles and by RFC 6962. The peer of both is
 * parsing the JSON and decoding the base64 of the latter, which no reader can avoid.
 */

import { PageParser, type PageRequest } from '../../src/collect/sources/certificate-logs/log-page.ts';
import { PageReader } from '../../src/collect/sources/certificate-logs/page-reader.ts';
import { pathOf } from '../../src/collect/sources/certificate-logs/static-log.ts';
import { WorldClock } from '../../world/clock.ts';
import { makeAuthority, makeKeyPair } from '../../world/servers/certificates/authority.ts';
import { CertificateLog } from '../../world/servers/certificates/certificate-log.ts';
import { CertificateOffice } from '../../world/servers/certificates/certificate-office.ts';
import { answerByRfc6962 } from '../../world/servers/certificates/rfc6962-routes.ts';
import { answerInTiles } from '../../world/servers/certificates/static-routes.ts';
import type { Reply } from '../../world/servers/web/reply.ts';
import { Story } from '../../world/story/story.ts';
import { type BenchContext, type Result, resultOf } from '../harness/benchmark.ts';
import { fastest } from '../harness/fastest.ts';
import { longestPauseMs, pauseResult } from '../harness/longest-pause.ts';

const tileEntries = 256;
const pageEntries = 64;
const pagesAtOnce = 4;
const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 4, 1);

interface Pages {
  readonly entries: number;
  readonly tiles: readonly PageRequest[];
  readonly answers: readonly PageRequest[];
}

/** Owners of the world have their certificates renewed again and again. */
async function makePages(certificates: number): Promise<Pages> {
  const options = { seed: 7, domains: 1000, startMs, speed: 0, eventsPerHour: 0, hostile: false };
  const { view } = new Story(options, new WorldClock({ ...options, machineNow: () => 0 }));
  const authority = makeAuthority();
  const [tiled, asked] = [
    new CertificateLog('static', 'elm', 'elm.ct.test', makeKeyPair()),
    new CertificateLog('rfc6962', 'oak', 'oak.ct.test', makeKeyPair()),
  ];
  const office = await CertificateOffice.open({
    // Nothing was issued before.
    view: { ...view, domains: () => [] },
    authority,
    logs: [tiled, asked],
    onLogged: () => undefined,
  });
  const owners = [...view.domains()].filter(({ certifiedMs }) => certifiedMs !== undefined);
  for (let index = 0; index < certificates; index += 1) {
    const owner = owners[index % owners.length];
    if (owner) office.find({ ...owner, certifiedMs: startMs + index * hourMs });
    if (index % tileEntries === 0) await new Promise(setImmediate);
  }
  office.close();
  const entries = tiled.entries.length;
  const issuers = [authority.intermediate, authority.root];
  const tiles = Array.from({ length: entries / tileEntries }, (_, tile) =>
    requestOf('tile', answerInTiles(tiled, issuers, startMs, `/tile/data/${pathOf(tile)}`)),
  );
  const answers = Array.from({ length: entries / pageEntries }, (_, page) => {
    const range = { start: String(page * pageEntries), end: String((page + 1) * pageEntries - 1) };
    const query = new URLSearchParams(range);
    return requestOf(
      'entries',
      answerByRfc6962(asked, { path: '/ct/v1/get-entries', query, nowMs: startMs, roots: issuers }),
    );
  });
  return { entries, tiles, answers };
}

function requestOf(kind: PageRequest['kind'], reply: Reply | undefined): PageRequest {
  if (reply?.status !== 200) throw new Error('the log gives no page');
  const entriesMax = kind === 'tile' ? tileEntries : pageEntries;
  return { kind, body: Buffer.from(reply.body), isGzipped: false, skip: 0, entriesMax };
}

function readBare(answers: readonly PageRequest[]): void {
  for (const { body } of answers) {
    const { entries } = JSON.parse(
      Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'),
    ) as {
      readonly entries: readonly { readonly leaf_input: string }[];
    };
    for (const { leaf_input: leaf } of entries) Buffer.from(leaf, 'base64');
  }
}

/** Everything is new to a reading, whatever the round before has seen. */
function readAll(pages: readonly PageRequest[], entries: number): void {
  const reading = new PageParser();
  let [read, certificates] = [0, 0];
  for (const page of pages) {
    const found = reading.read(page);
    read += found.entries - found.malformed;
    certificates += found.certificates;
  }
  if (read !== entries || certificates !== entries / 2) throw new Error(`only ${read} entries were read`);
}

/** As sources have them read: in the thread, some at once. */
async function pauseWhileReading(pages: readonly PageRequest[]): Promise<number> {
  const reader = new PageReader();
  try {
    await reader.read(pages[0] as PageRequest);
    const left = [...pages];
    const readLeft = async () => {
      for (let page = left.pop(); page; page = left.pop()) await reader.read(page);
    };
    return await longestPauseMs(() => Promise.all(Array.from({ length: pagesAtOnce }, readLeft)));
  } finally {
    await reader.close();
  }
}

export async function benchCertificates({ sized }: BenchContext): Promise<readonly Result[]> {
  // Of whole tiles: each certificate is two entries.
  const certificates = sized({ tiny: 256, small: 1280, full: 6400 });
  const lesser = await readPages(await makePages(sized({ tiny: 128, small: 128, full: 640 })), 6);
  const pages = await makePages(certificates);
  const read = await readPages(pages, 6);
  const pauseMs = await pauseWhileReading([...pages.tiles, ...pages.answers]);
  const { entries } = pages;
  const rows = (
    [
      ['tiles', 0.5],
      ['answers by RFC 6962', 0.3],
    ] as const
  ).map(([kind, wanted]) => {
    const name = kind === 'tiles' ? 'tiles' : 'answers';
    // What no longer lies in the caches of the processor costs the bare loop more, too.
    const growthAt10x = read[name].seconds / read.bare.seconds / (lesser[name].seconds / lesser.bare.seconds);
    return resultOf({
      work: `names of ${entries.toLocaleString('en')} entries of a certificate log, ${kind}`,
      ours: { value: entries / read[name].seconds, unit: 'entries/s' },
      peer: { name: 'JSON and base64 alone', value: entries / read.bare.seconds, unit: 'entries/s' },
      wanted: { ratio: { atLeast: wanted }, growthAt10x: { atMost: 1.3 } },
      growthAt10x,
      cpuSeconds: read[name].cpuSeconds,
      memoryBytes: read[name].memoryBytes,
    });
  });
  return [...rows, pauseResult('a thread reads certificate logs', pauseMs, read.tiles)];
}

async function readPages({ entries, tiles, answers }: Pages, rounds: number) {
  return {
    bare: await fastest(rounds, () => readBare(answers)),
    tiles: await fastest(rounds, () => readAll(tiles, entries)),
    answers: await fastest(rounds, () => readAll(answers, entries)),
  };
}

/** Checks that a configured source of names or a reputation list answers, and that its first part is what it should be. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../model/problem.ts';
import type { Settings } from '../../model/settings/settings.ts';
import { redactUrl } from '../../outgoing/redact-url.ts';
import { decompress } from '../input/decompress.ts';
import { readLines } from '../input/lines.ts';
import { isUrl } from '../input/located-file.ts';
import { lineReader } from '../reputation-lists/list-lines.ts';
import { listedName } from '../reputation-lists/listed-name.ts';
import { createLogClient } from '../sources/certificate-logs/certificate-log.ts';
import { cleanName } from '../sources/clean-name.ts';
import { namesOfLine } from '../sources/name-lists/names-of-line.ts';
import { apexOf, scanZoneLabels } from '../sources/zone-files/zone-labels.ts';
import { type CheckNeeds, checked, type SourceCheck } from './source-check.ts';

type Sources = Settings['sources'];

/** What is read of a file: enough for some lines behind any heading. */
const sampleBytes = 256 << 10;
const redirectsMax = 5;

export function checkCertificateLog(
  log: Sources['certificateLogs'][number],
  needs: CheckNeeds & { readonly settings: Pick<Settings, 'sources' | 'collect'> },
): Promise<SourceCheck> {
  // The head alone is read.
  const pages = { read: () => Promise.reject(new Error('no page is read')) };
  return checked(needs, async ({ dialer, timeoutMs }) => {
    const client = createLogClient(log, { dialer, pages, settings: needs.settings });
    const { size } = await client.getHead(AbortSignal.timeout(timeoutMs));
    return `${size.toLocaleString('en')} entries`;
  });
}

export function checkZoneFile(file: Sources['zoneFiles'][number], needs: CheckNeeds): Promise<SourceCheck> {
  return checked(needs, async (watched) => {
    const apex = apexOf(file.zone);
    for await (const labels of uninterrupted(scanZoneLabels(sampleOf(file.location, watched), apex)))
      if (labels.length > 0) return `delegates ${labels[0]}.${file.zone} and more`;
    throw new Problem('invalid-parameters', `its beginning delegates no name directly under ${file.zone}`);
  });
}

export function checkNameList(list: Sources['nameLists'][number], needs: CheckNeeds): Promise<SourceCheck> {
  return checked(needs, async (watched) => {
    const found = isUrl(list.location) ? undefined : await stat(list.location).catch(() => undefined);
    if (found?.isDirectory()) {
      const files = await readdir(list.location);
      return `a directory of ${files.length} files`;
    }
    for await (const { lines } of uninterrupted(readLines(sampleOf(list.location, watched)))) {
      const names = lines.flatMap((line) => (line === undefined ? [] : namesOfLine(line)));
      const name = names.find((one) => cleanName(one));
      if (name !== undefined) return `names ${cleanName(name)?.domain} and more`;
    }
    throw new Problem('invalid-parameters', 'its beginning holds no domain');
  });
}

export function checkReputationList(
  list: Settings['risk']['lists'][number],
  needs: CheckNeeds,
): Promise<SourceCheck> {
  const { location, format = 'plain', column = 1, label } = list;
  return checked(needs, async (watched) => {
    if (format === 'misp') return checkManifest(location, watched);
    const reader = lineReader(format, column);
    for await (const { lines } of uninterrupted(readLines(sampleOf(location, watched)))) {
      const entries = lines.flatMap((line) => reader.read(line));
      for (const { text } of entries) {
        const named = listedName(text, label);
        if (typeof named === 'object') return `names ${named.domain} and more`;
      }
    }
    throw new Problem('invalid-parameters', `its beginning holds no domain; is its format ${format}?`);
  });
}

async function checkManifest(location: string, needs: CheckNeeds): Promise<string> {
  const file = isUrl(location)
    ? `${location.replace(/\/+$/, '')}/manifest.json`
    : join(location, 'manifest.json');
  for await (const bytes of sampleOf(file, needs))
    if (/^\s*\{/.test(Buffer.from(bytes).toString('latin1'))) return 'a MISP feed';
  throw new Problem('invalid-parameters', 'it has no manifest.json of a MISP feed');
}

/** The beginning of a file or URL, decompressed. */
async function* sampleOf(location: string, { dialer, timeoutMs }: CheckNeeds): AsyncGenerator<Uint8Array> {
  if (!isUrl(location)) {
    const found = await stat(location).catch((cause: unknown) => {
      throw new Problem('invalid-parameters', `${location} cannot be read`, { cause });
    });
    if (!found.isFile()) throw new Problem('invalid-parameters', `${location} is not a file`);
    yield* decompress(createReadStream(location, { end: sampleBytes - 1 }));
    return;
  }
  const { status, body } = await dialer.send({
    method: 'GET',
    url: location,
    headers: { 'user-agent': 'nameglass' },
    timeoutMs,
    responseBytesMax: sampleBytes,
    ports: 'configured',
    redirectsMax,
  });
  if (status !== 200)
    throw new Problem('unavailable', `${redactUrl(location)} responded with status ${status}`);
  yield* decompress(
    (async function* () {
      yield body;
    })(),
  );
}

/** A sample of a compressed file ends in the middle: what could be decompressed is enough. */
async function* uninterrupted<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  let hasItems = false;
  try {
    for await (const item of items) {
      hasItems = true;
      yield item;
    }
  } catch (error) {
    if (!hasItems) throw error;
  }
}

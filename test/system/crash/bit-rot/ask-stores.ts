/** Questions to each store of files, and the files that its verification names. One store at a time: one may be too damaged to open. */
import type { Damage } from '../../../../src/store/damage.ts';
import { openArchiveStore } from '../../../../src/store/embedded/archive-store.ts';
import { openImageStore } from '../../../../src/store/embedded/image-store.ts';
import { openRrsetStore } from '../../../../src/store/embedded/rrset-store.ts';
import { openStreamStore } from '../../../../src/store/embedded/stream-store.ts';
import type { Scan } from '../../../../src/store/rrset-store.ts';
import { textOf } from '../../../conformance/archive-store.ts';
import { all } from '../../../conformance/rrset-store.ts';
import { contentOf } from '../../../conformance/stream-store.ts';
import { wire } from '../../../harness/arbitraries/rrset-arbitraries.ts';
import { damageIn } from '../../../harness/damage.ts';
import { shown, shownText } from '../../../harness/reference/rrset-reference.ts';
import { nowMs, sampleArchives, sampleImages, sampleStreams } from './stored-sample.ts';

type Questions = Readonly<Record<string, () => Promise<unknown>>>;

interface OpenedStore {
  readonly questions: Questions;
  verify(): AsyncIterable<Damage>;
  close(): Promise<void>;
}

const clock = { now: () => nowMs };

const scans: readonly Scan[] = [
  { by: 'owner' as const, name: wire('.'), span: 'below' as const },
  { by: 'rdata-prefix' as const, bytes: new Uint8Array(0) },
].map((selection) => ({
  selection,
  filter: { types: 'any', fences: {} },
  merged: false,
  nowSeconds: nowMs / 1000,
}));

export const openers: Readonly<Record<string, (data: string) => OpenedStore>> = {
  streams(data) {
    const store = openStreamStore(data);
    const read = sampleStreams.map((stream) => [stream, () => contentOf(store, stream)] as const);
    return {
      questions: Object.fromEntries(read),
      verify: () => store.verify(),
      close: () => store.close(),
    };
  },
  archives(data) {
    const store = openArchiveStore(data);
    const read = sampleArchives.map((name) => [name, () => textOf(store, name)] as const);
    const list = async () =>
      (await store.listFiles({ archive: 'nod', prefix: '', skip: 0, limit: 99 })).map(
        ({ name, bytes, sha256 }) => `${name} ${bytes} ${sha256}`,
      );
    return {
      questions: { ...Object.fromEntries(read), list },
      verify: () => store.verify(),
      close: async () => undefined,
    };
  },
  images(data) {
    const store = openImageStore(data);
    const read = sampleImages.map(
      (domain) => [domain, async () => (await store.findImage(domain, 1000))?.bytes.toString('hex')] as const,
    );
    return { questions: Object.fromEntries(read), verify: () => store.verify(), close: () => store.close() };
  },
  rrsets(data) {
    const store = openRrsetStore(data, clock);
    const pattern = { kind: 'regex', text: 'host1' } as const;
    return {
      questions: {
        forward: async () => (await all(store.scan(scans[0] as Scan))).map(shown),
        inverse: async () => (await all(store.scan(scans[1] as Scan))).map(shown),
        text: async () =>
          (await all(store.scanText({ over: 'names', pattern, filter: { fences: {} } }))).map(shownText),
        rdata: async () =>
          (
            await all(
              store.scanText({
                over: 'rdata',
                pattern: { kind: 'regex', text: 'text 1' },
                filter: { fences: {} },
              }),
            )
          ).map(shownText),
      },
      verify: () => store.verify(),
      close: () => store.close(),
    };
  },
};

export interface Answers {
  /** By question; undefined where it was refused with an error. */
  readonly answers: Readonly<Record<string, string | undefined>>;
  readonly named: readonly string[];
}

export async function ask(section: string, data: string): Promise<Answers> {
  const answers: Record<string, string | undefined> = {};
  const named: string[] = [];
  try {
    const opened = (openers[section] as (data: string) => OpenedStore)(data);
    try {
      for (const [question, answer] of Object.entries(opened.questions))
        answers[question] = await answer().then(
          (value) => JSON.stringify(value) ?? 'nothing',
          () => undefined,
        );
      named.push(...(await damageIn(opened.verify())).map(({ file }) => file));
    } finally {
      await opened.close();
    }
  } catch (error) {
    named.push((error as { file?: string }).file ?? (error as Error).message);
  }
  return { answers, named };
}

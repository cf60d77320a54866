/** Turns work that hands out pages into pages that are asked for: it waits while nobody wants the next one. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';

export async function* pagesOf<Page>(
  work: (push: (page: Page) => Promise<void>) => Promise<void>,
): AsyncGenerator<Page> {
  const pages = new PassThrough({ objectMode: true, highWaterMark: 1 });
  const abandoned = once(pages, 'close').then(() => {
    throw new Error('nobody reads the rest');
  });
  abandoned.catch(() => undefined);
  const push = async (page: Page) => {
    if (!pages.write(page)) await Promise.race([once(pages, 'drain'), abandoned]);
  };
  const done = work(push).then(
    () => void pages.end(),
    (error: Error) => void pages.destroy(error),
  );
  try {
    for await (const page of pages) yield page as Page;
  } finally {
    pages.destroy();
    await done;
  }
}

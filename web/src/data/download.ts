/** Files that the server makes for a search. They are read whole before they are saved, so that a failure is a sentence and not half a file. */
import { type ErrorBody, type Query, queryText, ServerError } from './request.ts';
import { session } from './session.ts';

const nameForm = /filename="([\w.-]{1,100})"/;

/** The name of the file, which the browser has saved. */
export async function downloadFile(path: string, query: Query, signal: AbortSignal): Promise<string> {
  for (;;) {
    const response = await fetch(`/ui/api${path}${queryText(query)}`, { credentials: 'same-origin', signal });
    if (response.status === 401) {
      await session.signInNeeded('ended');
      continue;
    }
    if (!response.ok) {
      const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined;
      throw new ServerError(response.status, body, response.headers.get('retry-after'));
    }
    const name = nameForm.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'export';
    saveAs(name, await response.blob());
    return name;
  }
}

export function saveAs(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

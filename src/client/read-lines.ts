/** Reads lines of JSON as they arrive: plain ones, and those of passive DNS, which say themselves whether they are all. */
import { NameglassError } from './nameglass-error.ts';

/** How a framed response ended; a cut or failed one throws instead. */
export interface StreamEnd {
  readonly cond: 'succeeded' | 'limited';
  readonly msg?: string;
  /** Where the next page begins: send it as the parameter `cursor`. */
  readonly cursor?: string;
}

interface Frame {
  readonly cond?: string;
  readonly msg?: string;
  readonly cursor?: string;
  readonly obj?: unknown;
  /** Of a bulk response. */
  readonly query?: string;
}

/** The paths whose responses have frames, bulk included. */
export function isFramed(path: string): boolean {
  return /^\/pdns\/v2\/(?:lookup|summarize|regex|glob|bulk)\b/.test(path);
}

/** The paths of passive DNS that end without saying whether there is more: version 1 and the Common Output Format. */
export function isUnframedPdns(path: string): boolean {
  return /^\/(?:pdns\/(?:v1|query)|lookup|summarize)\//.test(path);
}

export async function* plainRecords(response: Response): AsyncGenerator<unknown, void> {
  for await (const line of textLines(response)) yield parseLine(line, response.status);
}

/** The objects of the frames; of a bulk response the lines themselves, which name their query. */
export async function* framedRecords(
  response: Response,
  onEnd?: (end: StreamEnd) => void,
): AsyncGenerator<unknown, void> {
  for await (const line of textLines(response)) {
    const frame = parseLine(line, response.status) as Frame;
    const { cond, msg } = frame;
    if (frame.query !== undefined) yield frame;
    else if (frame.obj !== undefined) yield frame.obj;
    else if (cond === 'failed')
      throw new NameglassError(msg ?? 'The query failed.', { status: response.status, code: 'failed' });
    else if (cond === 'succeeded' || cond === 'limited') {
      onEnd?.({ ...frame, cond });
      return;
    }
  }
  throw brokenOff(response.status);
}

/** Without their newlines. A chunk is searched once, however long the line it belongs to. */
async function* textLines({ body, status }: Response): AsyncGenerator<string, void> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let parts: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const pieces = (done ? decoder.decode() : decoder.decode(value, { stream: true })).split('\n');
      for (const piece of pieces.slice(0, -1)) {
        const line = parts.join('') + piece;
        parts = [];
        if (line.trim() !== '') yield line;
      }
      parts.push(pieces.at(-1) ?? '');
      if (done) break;
    }
  } catch (error) {
    throw (error as Error).name === 'AbortError' ? error : brokenOff(status, error);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (parts.join('').trim() !== '') throw brokenOff(status);
}

function parseLine(line: string, status: number): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch (cause) {
    throw new NameglassError('The response has a line that is not JSON.', {
      status,
      code: 'unexpected',
      cause,
    });
  }
}

function brokenOff(status: number, cause?: unknown): NameglassError {
  return new NameglassError('The response broke off: what was received is not all of it.', {
    status,
    code: 'incomplete',
    cause,
  });
}

/** Bytes of an answer for people: as text where they are text, else as numbers. */
import { useQuery } from '@tanstack/react-query';
import { answerPath } from '../../data/domain.ts';
import { type Foreign, foreign } from '../../data/foreign.ts';
import { type ErrorBody, ServerError } from '../../data/request.ts';

interface ShownBytes {
  readonly text: Foreign;
  readonly isText: boolean;
  /** How many are shown, if not all. */
  readonly shortenedTo: number | undefined;
}

const [textBytesMax, binaryBytesMax, bytesPerLine] = [64 << 10, 4096, 16];

export function useAnswerBytes(name: string, sha256: string | undefined) {
  return useQuery({
    queryKey: ['domain', name, 'answer', sha256],
    queryFn: async ({ signal }) => {
      const response = await fetch(`/ui/api${answerPath(name, sha256 ?? '')}`, {
        credentials: 'same-origin',
        signal,
      });
      if (response.ok) return shownBytes(new Uint8Array(await response.arrayBuffer()));
      const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined;
      throw new ServerError(response.status, body, response.headers.get('retry-after'));
    },
    enabled: sha256 !== undefined,
    // The bytes of a checksum never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function shownBytes(bytes: Uint8Array): ShownBytes {
  const start = bytes.subarray(0, textBytesMax);
  // A character may be cut at the end, so what is decoded is a stream that has not ended.
  const text = decoded(start, bytes.length > start.length);
  if (text !== undefined)
    return {
      text: foreign(text),
      isText: true,
      shortenedTo: bytes.length > start.length ? start.length : undefined,
    };
  const some = bytes.subarray(0, binaryBytesMax);
  return {
    text: foreign(hexLines(some)),
    isText: false,
    shortenedTo: bytes.length > some.length ? some.length : undefined,
  };
}

function decoded(bytes: Uint8Array, stream: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream });
  } catch {
    return undefined;
  }
}

/** `00000010  50 4b 03 04 …  PK..` */
function hexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += bytesPerLine) {
    const line = [...bytes.subarray(at, at + bytesPerLine)];
    const numbers = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const characters = line.map((byte) => (byte > 0x1f && byte < 0x7f ? String.fromCodePoint(byte) : '.'));
    const offset = at.toString(16).padStart(8, '0');
    lines.push(`${offset}  ${numbers.padEnd(bytesPerLine * 3 - 1)}  ${characters.join('')}`);
  }
  return lines.join('\n');
}

/** What a server answered to a collector, as close to its bytes as the collector gets, and the probe that fetched it. */

export type RawAnswerKind = 'rdap' | 'whois' | 'http-head' | 'http-body' | 'certificate' | 'dns';

export interface RawAnswer {
  /** Punycode. */
  readonly domain: string;
  readonly collector: string;
  readonly kind: RawAnswerKind;
  readonly atMs: number;
  /** Which server or URL was asked. */
  readonly asked: string;
  /** The address that answered, if it is known. */
  readonly address: string | undefined;
  /** What was asked of it, in words of the protocol. */
  readonly request: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** The answer was longer than what is kept. */
  readonly isTruncated: boolean;
}

/** How collectors hand over what they received; the pipeline adds domain, collector and time. */
export type KeepRaw = (answer: Omit<RawAnswer, 'domain' | 'collector' | 'atMs'>) => void;

const textLengthMax = 2048;

/** Cuts an answer at a bound, and the texts that hostile servers may lengthen. */
export function boundedAnswer(answer: RawAnswer, bytesMax: number): RawAnswer {
  const { asked, request, mediaType, bytes } = answer;
  return {
    ...answer,
    asked: storable(asked),
    request: storable(request),
    mediaType: storable(mediaType).slice(0, 200),
    // A copy: the rest of a large buffer would stay in memory.
    bytes: Uint8Array.from(bytes.subarray(0, bytesMax)),
    isTruncated: answer.isTruncated || bytes.length > bytesMax,
  };
}

/** PostgreSQL stores neither NUL nor halves of surrogate pairs. */
function storable(text: string): string {
  return text.slice(0, textLengthMax).toWellFormed().replaceAll('\0', '\uFFFD');
}

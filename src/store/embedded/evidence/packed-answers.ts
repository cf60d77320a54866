/** Raw answers on their way to a thread: their bytes in one buffer, which is moved and not copied once more. */
import type { RawAnswer } from '../../../model/evidence/raw-answer.ts';

export interface PackedAnswers {
  /** Without their bytes. */
  readonly answers: readonly Omit<RawAnswer, 'bytes'>[];
  /** Where the bytes of each end. */
  readonly ends: readonly number[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function packAnswers(answers: readonly RawAnswer[]): PackedAnswers {
  let length = 0;
  const ends = answers.map(({ bytes }) => (length += bytes.length));
  const packed = new Uint8Array(length);
  for (const [index, { bytes }] of answers.entries()) packed.set(bytes, ends[index - 1] ?? 0);
  return { answers: answers.map(({ bytes: _packed, ...answer }) => answer), ends, bytes: packed };
}

export function answersIn({ answers, ends, bytes }: PackedAnswers): readonly RawAnswer[] {
  return answers.map((answer, index) => ({
    ...answer,
    bytes: bytes.subarray(ends[index - 1] ?? 0, ends[index]),
  }));
}

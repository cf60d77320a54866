/**
 * The vendor's command line asks each question twice, with `format` and without, within moments. Under the compatibility profile the
 * second time is not charged: otherwise it would meet a limit of one an hour, and its user would see nothing but that.
 */
import type { UsageStore } from '../../store/usage-store.ts';

export interface Question {
  readonly userId: string;
  /** Digest of what the operation understands of the request, without `format`. */
  readonly identity: string;
  readonly hasFormat: boolean;
}

type QuestionStore = Pick<UsageStore, 'charge' | 'findSavedText'>;

const repeatedWithinMs = 10_000;

/** Charges a question, unless it repeats the last one of the user in the other form. A third time is a new question. */
export async function chargeQuestion(
  question: Question,
  usage: QuestionStore,
  { nowMs, charge }: { readonly nowMs: number; readonly charge: () => Promise<void> },
): Promise<void> {
  const last = partsOf(await usage.findSavedText(nameOf(question)));
  const ageMs = nowMs - last.askedMs;
  const isRepeated =
    last.identity === question.identity &&
    last.hasFormat !== question.hasFormat &&
    ageMs >= 0 &&
    ageMs <= repeatedWithinMs;
  if (!isRepeated) await charge();
  const text = isRepeated ? '' : `${question.identity} ${question.hasFormat} ${nowMs}`;
  await usage.charge({ limits: [], savedText: { name: nameOf(question), text } }, nowMs);
}

function nameOf({ userId }: Question): string {
  return `question:${userId}`;
}

function partsOf(text = '') {
  const [identity = '', hasFormat = '', askedMs = ''] = text.split(' ');
  return { identity, hasFormat: hasFormat === 'true', askedMs: Number(askedMs) };
}

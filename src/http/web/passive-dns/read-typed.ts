/** Reads what the form sends. Each problem names its field. */
import { daySeconds } from '../../../model/durations.ts';
import { fieldProblem } from '../../../model/problem.ts';
import { isFlexible, readTime, type TimeWindow } from '../../../product/pdns/question/question-query.ts';
import { type Question, readQuestion } from '../../../product/pdns/question/read-question.ts';

export interface Typed {
  readonly q: string;
  readonly side?: 'names' | 'data';
  readonly type?: string;
  readonly from?: string;
  readonly to?: string;
}

export function questionOf({ q, side = 'names', type }: Typed): Question {
  return readQuestion({ text: q, side, ...(type === undefined ? {} : { type }) });
}

/** For what the store does not keep of texts. */
export function rowQuestionOf(typed: Typed): Question {
  const question = questionOf(typed);
  if (!isFlexible(question)) return question;
  const rule = 'must not be a glob or a regular expression: only records can be listed for those';
  throw fieldProblem('invalid-parameters', 'q', rule);
}

export function windowOf({ from, to }: Typed): TimeWindow {
  const [fromSeconds, toSeconds] = [readTime('from', from), readTime('to', to)];
  if (fromSeconds !== undefined && toSeconds !== undefined && fromSeconds > toSeconds)
    throw fieldProblem('invalid-parameters', 'to', 'must not be before from');
  return {
    ...(fromSeconds === undefined ? {} : { fromSeconds }),
    ...(toSeconds === undefined ? {} : { toSeconds }),
  };
}

const calendarDays = 365;
const calendarDaysMax = 3660;

/** Days since the epoch, both included. */
export function calendarDaysOf(typed: Typed, nowMs: number): { readonly from: number; readonly to: number } {
  const { fromSeconds, toSeconds = nowMs / 1000 } = windowOf(typed);
  const to = Math.floor(toSeconds / daySeconds);
  const from = fromSeconds === undefined ? to - calendarDays + 1 : Math.floor(fromSeconds / daySeconds);
  return { from: Math.max(from, to - calendarDaysMax + 1), to };
}

export const dayText = (day: number): string => new Date(day * daySeconds * 1000).toISOString().slice(0, 10);

import { type Foreign, foreign, plain } from '../../data/foreign.ts';
import { Text } from '../../parts/text.tsx';
import { passiveDnsWords as words } from '../../words/passive-dns.ts';
import type { QuestionView, Quota } from './passive-dns-data.ts';

/** The sentence says it in words. */
function withoutWildcard(form: QuestionView['form'], value: Foreign): Foreign {
  const wildcards: Partial<Record<typeof form, RegExp>> = {
    below: /^\*\.(?=.)/,
    child: /^\+\.(?=.)/,
    prefix: /\.\*$/,
  };
  const wildcard = wildcards[form];
  return wildcard ? foreign(plain(value).replace(wildcard, '')) : value;
}

/** How the server understood what was typed, and what that cost. */
export function Understood({ question, quota }: { question: QuestionView; quota: Quota }) {
  const { form, side, value } = question;
  const shown = (
    <b className="mono">
      <Text of={withoutWildcard(form, value)} />
    </b>
  );
  const isData = side === 'data' && form in words.understoodData;
  const sentence = isData
    ? words.understoodData[form as keyof typeof words.understoodData](shown)
    : words.understood[form](shown);
  return (
    <p>
      {sentence}
      {quota && (
        <small>
          {'. '}
          {words.quota(quota.remaining, quota.limit, <Text of={quota.user} />)}
        </small>
      )}
    </p>
  );
}

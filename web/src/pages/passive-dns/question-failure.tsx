import { foreign } from '../../data/foreign.ts';
import { ServerError } from '../../data/request.ts';
import { Empty, Failure } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { passiveDnsWords as words } from '../../words/passive-dns.ts';

const labels: Readonly<Record<string, string>> = {
  q: words.field,
  pattern: words.field,
  name: words.field,
  rrtype: words.type,
  from: words.from,
  to: words.to,
};

/** A question that cannot be asked is a mistake in the form; anything else a failure. */
export function QuestionFailure({ error, retry }: { error: unknown; retry: () => void }) {
  if (!(error instanceof ServerError) || error.status !== 422)
    return <Failure error={error} what={words.what} retry={retry} />;
  return (
    <div role="alert">
      <Empty title={words.cannotAsk}>
        {Object.entries(error.fields).map(([field, messages]) => (
          <p key={field}>
            {words.mistake(labels[field] ?? field, <Text of={foreign(messages.join('; '))} />)}
          </p>
        ))}
      </Empty>
    </div>
  );
}

/** What the decisions of the account say about its monitors: precision, and suggested changes. */

import { plain } from '../../data/foreign.ts';
import { type DecidedValue, useLearning } from '../../data/monitors.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { number } from '../../words/language.ts';
import { learningWords as words } from '../../words/monitors.ts';
import { Answers, Suggestions, useAnswers } from './suggestions.tsx';

const attributes = ['monitor', 'class', 'registrar', 'name_server'] as const;

export function LearningPanel() {
  const learning = useLearning();
  const { data } = learning;
  const answering = useAnswers();
  const hasDecisions = data && data.watched + data.ignored > 0;
  return (
    <section className="panel learning" aria-label={words.title}>
      <h2 tabIndex={-1}>{words.title}</h2>
      {learning.isPending && <Skeletons count={2} label={words.loading} />}
      {learning.isError && (
        <Failure error={learning.error} what={words.theDecisions} retry={() => void learning.refetch()} />
      )}
      {data && (
        <p className="pale">{hasDecisions ? words.summary(data.watched, data.ignored) : words.none}</p>
      )}
      {hasDecisions && <Suggestions suggestions={data.suggestions} answering={answering} />}
      {data && data.answers.length > 0 && <Answers answers={data.answers} answering={answering} />}
      {hasDecisions && (
        <details>
          <summary>{words.precision}</summary>
          <p className="pale">{words.precisionHint}</p>
          {attributes.map(
            (attribute) =>
              data.precision[attribute].length > 0 && (
                <PrecisionTable
                  key={attribute}
                  title={words.attributes[attribute]}
                  values={data.precision[attribute]}
                />
              ),
          )}
        </details>
      )}
    </section>
  );
}

function PrecisionTable({
  title,
  values,
}: {
  readonly title: string;
  readonly values: readonly DecidedValue[];
}) {
  return (
    <WideTable label={title}>
      <table className="data-table">
        <TableHead
          columns={[
            title,
            { label: words.precision, number: true },
            { label: words.watched, number: true },
            { label: words.escalated, number: true },
            { label: words.ignored, number: true },
          ]}
        />
        <tbody>
          {values.map(({ value, label, watched, escalated, ignored }) => (
            <tr key={plain(value)}>
              <th scope="row">
                <Text of={label} />
              </th>
              <td className="number">{words.share(watched / (watched + ignored))}</td>
              <td className="number">{number(watched)}</td>
              <td className="number">{number(escalated)}</td>
              <td className="number">{number(ignored)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

import type { DomainDetail } from '../../data/detect.ts';
import { wordsOfField } from '../../data/field-words.ts';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { number } from '../../words/language.ts';
import { decisionWords, cardWords as words } from '../../words/triage.ts';

export function SharedValues({ shared }: { shared: DomainDetail['shared'] }) {
  return (
    <section>
      <h3>{words.shared}</h3>
      {shared.length === 0 ? (
        <p className="pale">{words.nothingShared}</p>
      ) : (
        <table className="shared">
          <thead className="sr">
            <tr>
              <th scope="col">{words.what}</th>
              <th scope="col">{words.value}</th>
              <th scope="col">{words.averageRisk}</th>
              <th scope="col">{words.domains}</th>
            </tr>
          </thead>
          <tbody>
            {shared.map(({ field, value, domains, average_risk, guided }, index) => (
              <tr key={index}>
                <th scope="row">
                  <Text of={wordsOfField(field)} />
                </th>
                <td>
                  <Text of={value} />
                </td>
                <td className="number pale" title={words.averageRiskHint}>
                  {average_risk === undefined ? '' : `⌀ ${average_risk}`}
                </td>
                <td className="number">
                  <span className={guided ? 'guided' : undefined} title={guided ? words.guided : undefined}>
                    {number(domains)}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const changesShown = 12;

export function Changes({ history }: { history: DomainDetail['history'] }) {
  if (history.length === 0) return null;
  return (
    <section>
      <h3>{words.changes}</h3>
      <ol className="changes">
        {history.slice(0, changesShown).map(({ at, field, before, after }, index) => (
          <li key={index}>
            <Ago at={at} />
            <div>
              <b>
                <Text of={wordsOfField(field)} />
              </b>
              {before !== null && (
                <del>
                  <Text of={before} />
                </del>
              )}
              {after !== null && (
                <ins>
                  <Text of={after} />
                </ins>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

export function DecisionHistory({ decisions }: { decisions: DomainDetail['decisions'] }) {
  if (decisions.length === 0) return null;
  return (
    <section>
      <h3>{words.decisions}</h3>
      <ol className="changes">
        {decisions.map(({ decision_id, at, by, to, undone }) => (
          <li key={decision_id}>
            <Ago at={at} />
            <div>
              {words.decision(<b>{decisionWords.was[to]}</b>, <Text of={by} />)}
              {undone && <small>{words.undoneBy(<Text of={undone.by} />)}</small>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

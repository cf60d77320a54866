import type { DomainDetail } from '../../data/detect.ts';
import { wordsOfField } from '../../data/field-words.ts';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';

export function SharedValues({ shared }: { shared: DomainDetail['shared'] }) {
  return (
    <section>
      <h3>Shared with others</h3>
      {shared.length === 0 ? (
        <p className="pale">Nothing that is known of it occurs elsewhere.</p>
      ) : (
        <table className="shared">
          <thead className="sr">
            <tr>
              <th scope="col">What</th>
              <th scope="col">Value</th>
              <th scope="col">Average risk</th>
              <th scope="col">Domains</th>
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
                <td className="number pale" title="Average risk of the domains that share it">
                  {average_risk === undefined ? '' : `⌀ ${average_risk}`}
                </td>
                <td className="number">
                  <span
                    className={guided ? 'guided' : undefined}
                    title={guided ? 'Shared by few: worth following' : undefined}
                  >
                    {domains.toLocaleString('en')}
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
      <h3>Changes</h3>
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

const words = {
  watched: 'watched',
  ignored: 'ignored',
  blocked: 'blocked',
  external_safe: 'submitted',
} as const;

export function DecisionHistory({ decisions }: { decisions: DomainDetail['decisions'] }) {
  if (decisions.length === 0) return null;
  return (
    <section>
      <h3>Decisions</h3>
      <ol className="changes">
        {decisions.map(({ decision_id, at, by, to, undone }) => (
          <li key={decision_id}>
            <Ago at={at} />
            <div>
              <b>{words[to]}</b> by <Text of={by} />
              {undone && (
                <small>
                  {' '}
                  undone by <Text of={undone.by} />
                </small>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

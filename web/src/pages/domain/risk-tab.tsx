import type { DomainOverview } from '../../data/domain.ts';
import { spelledOut } from '../../data/unseen.ts';
import { componentWord, Reasons, type ShownReason } from '../../parts/reasons.tsx';
import { Risk } from '../../parts/risk.tsx';
import { Text } from '../../parts/text.tsx';

export const shownReasons = ({ reasons }: DomainOverview['risk']): readonly ShownReason[] =>
  reasons.map(({ components, ...reason }) => ({
    ...reason,
    components: components.map(({ component }) => spelledOut(component)),
  }));

/** The score in its parts, and every reason for it. */
export function RiskTab({ risk }: { risk: DomainOverview['risk'] }) {
  const { score, status, components } = risk;
  return (
    <>
      <section className="panel">
        <h2>
          Score <Risk score={score} status={status} inWords />
        </h2>
        <p className="pale">
          {status === 'provisional'
            ? 'Made from the name alone. The full score follows when the domain has been examined.'
            : 'Made from the name, the record, and what is known about its neighbours.'}
        </p>
        <table className="data-table components">
          <thead>
            <tr>
              <th scope="col">Component</th>
              <th scope="col" className="number">
                Score
              </th>
              <th scope="col">Threats</th>
            </tr>
          </thead>
          <tbody>
            {components.map(({ name, score: part, threats = [] }, index) => (
              <tr key={index}>
                <th scope="row">{componentWord(spelledOut(name))}</th>
                <td className="number">{part}</td>
                <td>
                  {threats.map((threat, at) => (
                    <span key={at}>
                      {at > 0 && ', '}
                      <Text of={threat} />
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section className="panel">
        <h2>Reasons</h2>
        <Reasons reasons={shownReasons(risk)} max={100} />
      </section>
    </>
  );
}

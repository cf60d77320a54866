import type { DomainOverview } from '../../data/domain.ts';
import { spelledOut } from '../../data/unseen.ts';
import { componentWord, Reasons, type ShownReason } from '../../parts/reasons.tsx';
import { Risk } from '../../parts/risk.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { riskTabWords as words } from '../../words/domain.ts';

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
          {words.score} <Risk score={score} status={status} inWords />
        </h2>
        <p className="pale">{status === 'provisional' ? words.provisional : words.full}</p>
        <table className="data-table components">
          <TableHead columns={[words.component, { label: words.score, number: true }, words.threats]} />
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
        <h2>{words.reasons}</h2>
        <Reasons reasons={shownReasons(risk)} max={100} />
      </section>
    </>
  );
}

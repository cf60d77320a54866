/** The values that the domains of a campaign share or shared, as a table. */
import type { CampaignLink } from '../../data/campaign/campaigns.ts';
import { Empty } from '../../parts/region.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { Ago } from '../../parts/time.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { linkWords, campaignValueWords as words } from '../../words/campaigns/campaign-words.ts';
import { number } from '../../words/language.ts';
import { timeWords } from '../../words/parts.ts';
import { LinkValue } from './link-text.tsx';

export function ValuesTab({ links }: { links: readonly CampaignLink[] }) {
  if (links.length === 0) return <Empty title={words.nothing} />;
  const { columns } = words;
  return (
    <WideTable label={words.label} panel>
      <table className="data-table value-table">
        <TableHead
          columns={[
            columns.kind,
            columns.value,
            { label: columns.domains, number: true },
            { label: <span title={words.knownHint}>{columns.known}</span>, number: true },
            columns.first,
            columns.last,
          ]}
        />
        <tbody>
          {links.map((link, index) => (
            <tr key={index}>
              <td>{linkWords[link.by]}</td>
              <th scope="row">
                <LinkValue link={link} />
              </th>
              <td className="number">{number(link.domains)}</td>
              <td className="number">{number(link.known)}</td>
              <td>
                <Ago at={link.first_seen_date} suffix={timeWords.ago} />
              </td>
              <td>
                <Ago at={link.last_seen_date} suffix={timeWords.ago} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

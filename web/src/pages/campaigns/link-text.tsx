/** A value that links domains, with its kind in words. */
import type { CampaignLink, CampaignLinkKind } from '../../data/campaign/campaigns.ts';
import { Text } from '../../parts/text.tsx';
import { ValueMenu } from '../../parts/value-menu.tsx';
import { linkWords, campaignListWords as words } from '../../words/campaigns/campaign-words.ts';

type Link = Pick<CampaignLink, 'by' | 'value'>;

/** The search parameter of a kind, where a value can be searched for. */
const fieldOf: Readonly<Partial<Record<CampaignLinkKind, string>>> = {
  ip: 'ip',
  name_server: 'nameserver_host',
  soa_email: 'email',
  certificate: 'ssl_hash',
};

export function LinkText({ link: { by, value } }: { link: Link }) {
  return (
    <span className="link-text">
      {words.link(
        linkWords[by],
        <span className="mono">
          <Text of={value} />
        </span>,
      )}
    </span>
  );
}

/** The value alone, with what can be done with it. */
export function LinkValue({ link: { by, value } }: { link: Link }) {
  const field = fieldOf[by];
  const text = <Text of={value} className="mono" />;
  return field === undefined ? (
    text
  ) : (
    <ValueMenu field={field} value={value}>
      {text}
    </ValueMenu>
  );
}

interface LinkListProps {
  readonly links: readonly Link[];
  /** Not all that there are. */
  readonly isPart?: boolean;
}

const max = 3;

/** The first few, and how many there are besides. */
export function LinkList({ links, isPart = false }: LinkListProps) {
  return (
    <ul className="link-list">
      {links.slice(0, max).map((link, index) => (
        <li key={index}>
          <LinkText link={link} />
        </li>
      ))}
      {links.length > max && (
        <li className="pale">{isPart ? words.andMore : words.more(links.length - max)}</li>
      )}
    </ul>
  );
}

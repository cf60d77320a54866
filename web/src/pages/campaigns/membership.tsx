/** The campaigns that a domain is a member of, on its page and its card. */
import { Link } from '@tanstack/react-router';
import { Group } from 'lucide-react';
import { useMemberships } from '../../data/campaign/campaigns.ts';
import { Text } from '../../parts/text.tsx';
import { membershipWords as words } from '../../words/campaigns/membership-words.ts';

/** Nothing where it is in none: most domains are not. */
export function Membership({ domain }: { domain: string }) {
  const campaigns = useMemberships(domain).data?.campaigns ?? [];
  if (campaigns.length === 0) return null;
  return (
    <p className="membership">
      <Group size={14} aria-hidden />{' '}
      {words.member(
        campaigns.map(({ id, name }, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <Link to="/campaigns/$id" params={{ id }} search={{}}>
              <Text of={name} />
            </Link>
          </span>
        )),
      )}
    </p>
  );
}

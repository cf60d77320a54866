import '../../styles/sign-on-buttons.css';
import { useOfferedProviders } from '../../data/account/sign-on.ts';
import { Text } from '../../parts/text.tsx';
import { signOnWords as words } from '../../words/sign-on.ts';

interface SignOnButtonsProps {
  /** The address of the app to come back to, without `/ui`. */
  readonly next?: string | undefined;
  /** The page must stay as it is: the sign-in happens in another tab. */
  readonly inOtherTab?: boolean;
}

/** Links, not forms: the content security policy lets no form leave for another site. */
export function SignOnButtons({ next = '/', inOtherTab = false }: SignOnButtonsProps) {
  const providers = useOfferedProviders().data?.providers ?? [];
  if (providers.length === 0) return null;
  return (
    <div className="sign-on">
      <p className="or">{words.or}</p>
      {providers.map(({ name, path }) => (
        <a
          key={path}
          className="button"
          href={`${path}?next=${encodeURIComponent(next)}`}
          {...(inOtherTab ? { target: '_blank', rel: 'noopener' } : {})}
        >
          <span>{words.with(<Text of={name} />)}</span>
        </a>
      ))}
      {inOtherTab && <p className="pale">{words.inOtherTab}</p>}
    </div>
  );
}

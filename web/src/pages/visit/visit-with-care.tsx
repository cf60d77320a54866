import { Link, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Copy, ShieldAlert } from 'lucide-react';
import { foreign } from '../../data/foreign.ts';
import { defang } from '../../names/defang.ts';
import { Name } from '../../parts/name.tsx';
import { Text } from '../../parts/text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { visitWords as words } from '../../words/decisions.ts';
import { copyWords } from '../../words/triage.ts';
import { copyText } from '../triage/copy-name.ts';

/** A hostile name is never a link: it can be copied, after reading what visiting it means. */
export function VisitWithCare() {
  useTitle(words.title);
  const { name = '' } = useSearch({ from: '/app/visit' });
  const url = liveAddress(name);
  return (
    <div className="page-body visit">
      <h1>
        <ShieldAlert size={20} aria-hidden /> {words.title}
      </h1>
      <Name host={foreign(name)} big />
      <p className="mono">
        <Text of={foreign(defang(url ?? name))} />
      </p>
      <ul className="advice">
        {words.advice.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      {url !== undefined && (
        <label className="field">
          {words.liveAddress}
          <input readOnly value={url} onFocus={({ target }) => target.select()} spellCheck={false} />
        </label>
      )}
      <div className="buttons start">
        <Link to="/triage" className="button">
          <ArrowLeft size={15} aria-hidden /> {words.back}
        </Link>
        {url !== undefined && (
          <button type="button" onClick={() => void copyText(url, copyWords.liveAddress)}>
            <Copy size={15} aria-hidden /> {words.copy}
          </button>
        )}
      </div>
    </div>
  );
}

/** In punycode, so that nothing in it can hide; undefined for what is no host name. */
function liveAddress(name: string): string | undefined {
  return URL.canParse(`http://${name}/`) ? new URL(`http://${name}/`).href : undefined;
}

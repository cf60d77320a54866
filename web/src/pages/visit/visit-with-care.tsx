import { Link, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Copy, ShieldAlert } from 'lucide-react';
import { foreign } from '../../data/foreign.ts';
import { defang } from '../../names/defang.ts';
import { Name } from '../../parts/name.tsx';
import { Text } from '../../parts/text.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { copyText } from '../triage/copy-name.ts';

/** A hostile name is never a link: it can be copied, after reading what visiting it means. */
export function VisitWithCare() {
  useTitle('Visit with care');
  const { name = '' } = useSearch({ from: '/app/visit' });
  const url = liveAddress(name);
  return (
    <div className="page-body visit">
      <h1>
        <ShieldAlert size={20} aria-hidden /> Visit with care
      </h1>
      <Name host={foreign(name)} big />
      <p className="mono">
        <Text of={foreign(defang(url ?? name))} />
      </p>
      <ul className="advice">
        <li>Its operator sees your address and your browser, and learns that somebody has found the name.</li>
        <li>The page may ask for passwords, offer downloads, or attack the browser. Use an isolated one.</li>
        <li>
          It may show you something else than it shows to others. The screenshot in Triage was taken from this
          server.
        </li>
      </ul>
      {url !== undefined && (
        <label className="field">
          The live address, as text
          <input readOnly value={url} onFocus={({ target }) => target.select()} spellCheck={false} />
        </label>
      )}
      <div className="buttons start">
        <Link to="/triage" className="button">
          <ArrowLeft size={15} aria-hidden /> Back to Triage
        </Link>
        {url !== undefined && (
          <button type="button" onClick={() => void copyText(url, 'Copied as it is: a live address')}>
            <Copy size={15} aria-hidden /> Copy the live address
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

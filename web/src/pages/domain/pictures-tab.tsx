import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Capture, type DomainPictures, usePictures } from '../../data/domain.ts';
import { type Foreign, foreign, plain } from '../../data/foreign.ts';
import { usePreferences } from '../../data/me.ts';
import { useOwnDomains } from '../../data/monitors.ts';
import { spelledOut } from '../../data/unseen.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { defang } from '../../names/defang.ts';
import { NoPicture, sizedPath } from '../../parts/picture.tsx';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago, formatTime, Moment } from '../../parts/time.tsx';
import { captureWords as words } from '../../words/domain.ts';
import { timeWords } from '../../words/parts.ts';

interface PicturesTabProps {
  readonly name: string;
  readonly capture: string | undefined;
  /** A capture, or `own:` and a domain of one's own. */
  readonly other: string | undefined;
}

/** Every capture, the newest first; any two of them, or one and the page of one's own domain, laid over each other. */
export function PicturesTab({ name, capture, other }: PicturesTabProps) {
  const pictures = usePictures(name);
  if (pictures.isError)
    return <Failure error={pictures.error} what={words.thePictures} retry={() => void pictures.refetch()} />;
  if (!pictures.data) return <Skeletons count={6} label={words.loading} />;
  const { captures, picture } = pictures.data;
  const shown = captures.find(({ id }) => id === capture) ?? captures[0];
  return (
    <>
      {shown ? (
        <Compare name={name} captures={captures} shown={shown} other={other} />
      ) : (
        <p className="no-picture big">
          <NoPicture picture={picture} />
        </p>
      )}
      <Alike alike={pictures.data.alike} />
      {pictures.data.more && <p className="banner">{words.more}</p>}
    </>
  );
}

interface CompareProps {
  readonly name: string;
  readonly captures: readonly Capture[];
  readonly shown: Capture;
  readonly other: string | undefined;
}

const ownPrefix = 'own:';

function Compare({ name, captures, shown, other }: CompareProps) {
  const navigate = useNavigate();
  const own = useOwnDomains().data?.own_domains ?? [];
  const ownName = other?.startsWith(ownPrefix) ? other.slice(ownPrefix.length) : '';
  const ownPicture = usePictures(ownName).data?.captures[0];
  const behind = ownName === '' ? captures.find(({ id }) => id === other) : ownPicture;
  const { zone } = usePreferences();
  const at = captures.indexOf(shown);
  const open = (search: { capture?: string; with?: string }) =>
    void navigate({
      to: '/domain/$name',
      params: { name },
      search: { tab: 'pictures', ...search },
      replace: true,
    });
  const step = (by: number) => {
    const next = captures[at + by];
    if (next) open({ capture: next.id, ...(other === undefined ? {} : { with: other }) });
  };
  useKeys([
    { keys: '[', label: words.earlier, group: 'Domain', run: () => step(1) },
    { keys: ']', label: words.later, group: 'Domain', run: () => step(-1) },
  ]);
  return (
    <section className="compare">
      <div className="compare-bar">
        <label className="field inline">
          {words.capture}
          <select
            value={shown.id}
            onChange={({ target }) =>
              open({ capture: target.value, ...(other === undefined ? {} : { with: other }) })
            }
          >
            {captures.map(({ id, at: time }) => (
              <option key={id} value={id}>
                {formatTime(time, zone)}
              </option>
            ))}
          </select>
        </label>
        <label className="field inline">
          {words.comparedWith}
          <select
            value={other ?? ''}
            onChange={({ target }) =>
              open({ capture: shown.id, ...(target.value === '' ? {} : { with: target.value }) })
            }
          >
            <option value="">{words.nothing}</option>
            {captures
              .filter(({ id }) => id !== shown.id)
              .map(({ id, at: time }) => (
                <option key={id} value={id}>
                  {formatTime(time, zone)}
                </option>
              ))}
            {own.map(({ domain, punycode }) => (
              <option key={plain(punycode)} value={`${ownPrefix}${plain(punycode)}`}>
                {words.yours(spelledOut(domain))}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Overlaid name={name} front={shown} behind={behind} />
      {ownName !== '' && !ownPicture && <p className="pale">{words.noneOfYours}</p>}
      <p>
        <Moment at={shown.at} />
        {shown.ip !== null && words.from(<Text of={shown.ip} />)}
        {words.seen(<Text of={shown.text} />, <Ago at={shown.last_seen} suffix={timeWords.ago} />)}
      </p>
      <p className="pale mono">
        <Text of={foreign(defang(plain(shown.url)))} />
      </p>
    </section>
  );
}

const pictureWidth = 1024;
const pictureHeight = 640;
const sourceOf = ({ path }: { readonly path: string }) => sizedPath(path, pictureWidth, pictureHeight);

/** The slider uncovers the picture behind. */
function Overlaid({ name, front, behind }: { name: string; front: Capture; behind: Capture | undefined }) {
  const [percent, setPercent] = useState(50);
  const text = (of: Capture) => words.of(spelledOut(foreign(defang(name))), of.at);
  return (
    <div className="overlaid">
      <div className="frames">
        <img src={sourceOf(front)} width={pictureWidth} height={pictureHeight} alt={text(front)} />
        {behind && (
          <img
            className="behind"
            style={{ clipPath: `inset(0 0 0 ${percent}%)` }}
            src={sourceOf(behind)}
            width={pictureWidth}
            height={pictureHeight}
            alt={words.other(behind.at)}
          />
        )}
      </div>
      {behind && (
        <input
          type="range"
          min={0}
          max={100}
          value={percent}
          aria-label={words.howMuch}
          onChange={({ target }) => setPercent(Number(target.value))}
        />
      )}
    </div>
  );
}

function Alike({ alike }: { alike: DomainPictures['alike'] }) {
  if (alike.length === 0) return null;
  return (
    <section>
      <h2>{words.resembling}</h2>
      <ul className="resembling">
        {alike.map(({ domain, punycode, path, at, distance }) => (
          <li key={plain(punycode)}>
            <Link to="/domain/$name" params={{ name: plain(punycode) }}>
              <img loading="lazy" src={sizedPath(path, 320, 200)} width={320} height={200} alt="" />
              <span className="mono">
                <DefangedText of={domain} />
              </span>
            </Link>
            <small>
              {distance === 0 ? words.same : words.differ(distance)}, <Ago at={at} suffix={timeWords.ago} />
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}

const DefangedText = ({ of }: { of: Foreign }) => <Text of={foreign(defang(plain(of)))} />;

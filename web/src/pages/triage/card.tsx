/** Everything about one domain that a decision needs: what it is, why it matched, what its page shows, and what speaks for and against it. */
import { Link } from '@tanstack/react-router';
import { Copy, Maximize2, ShieldAlert, X } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { termOf as termOfSteps } from '../../../../src/model/triage/match-marks.ts';
import { type Domain, useDomain } from '../../data/detect.ts';
import { type Foreign, foreign, plain } from '../../data/foreign.ts';
import { spelledOut } from '../../data/unseen.ts';
import { Name } from '../../parts/name.tsx';
import { Picture } from '../../parts/picture.tsx';
import { Reasons } from '../../parts/reasons.tsx';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Risk } from '../../parts/risk.tsx';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { sightingWords, timeWords } from '../../words/parts.ts';
import { cardWords as words } from '../../words/triage.ts';
import { Membership } from '../campaigns/membership.tsx';
import { Changes, DecisionHistory, SharedValues } from './card-sections.tsx';
import { copyName } from './copy-name.ts';
import { defanged } from './decision-messages.tsx';
import { Notes } from './notes.tsx';
import { Resolved } from './sightings.tsx';

const restMs = 120;

/** Whether a moment has passed since the component appeared. */
function useRested(ms: number): boolean {
  const [rested, setRested] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return rested;
}

interface CardProps {
  readonly domain: Domain;
  readonly term: Foreign | undefined;
  readonly noteField: RefObject<HTMLTextAreaElement | null>;
  readonly assign: () => void;
  readonly close: () => void;
}

export function Card({ domain, term, noteField, assign, close }: CardProps) {
  const detail = useDomain(domain.id, useRested(restMs));
  const [match] = domain.match;
  return (
    <aside className="card" aria-label={words.label(spelledOut(defanged(domain)))}>
      <header>
        <h2 className="card-name">
          <Name host={match?.host ?? domain.domain} match={match} big />
        </h2>
        <button
          type="button"
          className="ghost"
          aria-label={words.copyDefanged}
          onClick={() => void copyName(domain, true)}
        >
          <Copy size={16} aria-hidden />
        </button>
        <Link
          to="/domain/$name"
          params={{ name: plain(domain.domain) }}
          className="button ghost"
          aria-label={words.openPage}
          title={words.openPageHint}
        >
          <Maximize2 size={16} aria-hidden />
        </Link>
        <button type="button" className="ghost" aria-label={words.close} onClick={close}>
          <X size={18} aria-hidden />
        </button>
      </header>
      <Why domain={domain} term={term} />
      <figure>
        <Picture picture={domain.picture} of={domain.domain} width={840} height={560} />
        <figcaption>
          <span>
            {domain.picture.at !== undefined &&
              words.captured(<Ago at={domain.picture.at} suffix={timeWords.ago} />)}
            {domain.picture.ip !== undefined && words.from(<Text of={domain.picture.ip} />)}
          </span>
          <Link to="/visit" search={{ name: plain(domain.domain) }}>
            <ShieldAlert size={13} aria-hidden /> {words.visit}
          </Link>
        </figcaption>
      </figure>
      {domain.sightings && (
        <section>
          <h3>{sightingWords.title}</h3>
          <Resolved sightings={domain.sightings} />
        </section>
      )}
      <h3>
        {words.risk} <Risk score={domain.risk_score} status={domain.risk_score_status} inWords />
      </h3>
      {detail.isError ? (
        <Failure error={detail.error} what={words.rest} retry={() => void detail.refetch()} />
      ) : detail.data ? (
        <>
          <Reasons reasons={detail.data.reasons} />
          <SharedValues shared={detail.data.shared} />
          <Membership domain={plain(domain.domain)} />
          <Changes history={detail.data.history} />
          <Notes domain={detail.data} field={noteField} assign={assign} />
          <DecisionHistory decisions={detail.data.decisions} />
        </>
      ) : (
        <Skeletons count={8} label={words.loading} />
      )}
    </aside>
  );
}

/** `"tessalrtade" in … is the term with two neighbours exchanged: …` without the name, which stands above. */
function Why({ domain, term }: { domain: Domain; term: Foreign | undefined }) {
  const [match] = domain.match;
  if (!match) return null;
  const sentence = plain(match.explanation)
    .replace(/^.*? is the term (?=\S)/, '')
    .replace(/^.*? (?=sounds like the term)/, '');
  const others = domain.match.length - 1;
  const derived = termOfSteps(
    plain(match.text),
    match.steps.map(({ at, removed, inserted }) => ({
      at,
      removed: plain(removed),
      inserted: plain(inserted),
    })),
  );
  return (
    <p className="why">
      <span className="chip">{match.class}</span>{' '}
      <b translate="no">{term ? <Text of={term} /> : <Text of={foreign(derived ?? '')} />}</b>{' '}
      <Text of={foreign(sentence === 'itself.' ? words.ownSuffix : sentence)} />
      {others > 0 && <small>{words.moreReasons(others)}</small>}
    </p>
  );
}

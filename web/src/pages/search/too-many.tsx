import { plain } from '../../data/foreign.ts';
import type { TooMany as TooManyAnswer } from '../../data/search.ts';
import { Empty } from '../../parts/region.tsx';
import { tooManyWords as words } from '../../words/search.ts';
import { FacetList, nameOfColumn } from './facet-list.tsx';

/** More than a table is good for: the facets that cut best are offered instead. */
export function TooMany({ answer }: { answer: TooManyAnswer }) {
  const { total, matches_max, facets_to_narrow: facets } = answer;
  return (
    <div className="too-many">
      <Empty title={words.title(total)}>
        <p>{facets.length > 0 ? words.why(matches_max) : words.nothing}</p>
      </Empty>
      <div className="too-many-facets">
        {facets.map((facet) => (
          <section key={plain(facet.by)} className="panel">
            <h2>{nameOfColumn(facet.by)}</h2>
            <FacetList facet={facet} />
          </section>
        ))}
      </div>
      {facets.length > 0 && <p className="pale">{words.estimate}</p>}
    </div>
  );
}

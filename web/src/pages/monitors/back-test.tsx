/** What the change of a monitor would have meant over the last days: which names it adds and loses, and what was decided about those. */
import { plain } from '../../data/foreign.ts';
import { type MonitorBackTest, type MonitorChangeBody, useBackTest } from '../../data/monitors.ts';
import { Failure, Skeletons } from '../../parts/region.tsx';
import { Text } from '../../parts/text.tsx';
import { backTestWords as words } from '../../words/monitors.ts';

const namesShown = 20;

export function BackTest({ id, change }: { readonly id: string; readonly change: MonitorChangeBody }) {
  const test = useBackTest(id, change, true);
  return (
    <section className="back-test" aria-label={words.title} aria-busy={test.isFetching}>
      <h3>{words.title}</h3>
      {test.isPending && <Skeletons count={2} label={words.loading} />}
      {test.isError && <Failure error={test.error} what={words.effect} retry={() => void test.refetch()} />}
      {test.data && <Effect test={test.data} />}
    </section>
  );
}

function Effect({ test: { days, complete, appearing, disappearing } }: { readonly test: MonitorBackTest }) {
  const isNothing = appearing.total === 0 && disappearing.total === 0;
  return (
    <>
      {isNothing && <p>{words.nothing(days)}</p>}
      {appearing.total > 0 && <Part part={appearing} title={words.appearing(appearing.total)} />}
      {disappearing.total > 0 && <Part part={disappearing} title={words.disappearing(disappearing.total)} />}
      {!complete && <p className="pale">{words.incomplete}</p>}
    </>
  );
}

interface PartProps {
  readonly part: MonitorBackTest['appearing'];
  readonly title: string;
}

function Part({ part, title }: PartProps) {
  const decided = words.decided(part);
  const shown = part.domains.slice(0, namesShown);
  return (
    <details>
      <summary>
        {title}
        {decided && ` (${decided})`}
      </summary>
      <ul>
        {shown.map(({ domain, punycode }) => (
          <li key={plain(punycode)} className="mono">
            <Text of={domain} />
          </li>
        ))}
        {part.total > shown.length && <li className="pale">{words.more(part.total - shown.length)}</li>}
      </ul>
    </details>
  );
}

/** Values that the same domains share say one thing, so they are shown as one: the name, the phone and the e-mail of a registrant, say. */
import type { Pivot } from '../../data/domain.ts';
import { plain } from '../../data/foreign.ts';

export interface PivotGroup extends Pick<Pivot, 'domains' | 'average_risk' | 'guided' | 'first_names'> {
  /** Each value once. */
  readonly values: readonly Pick<Pivot, 'attribute' | 'value'>[];
}

/** In the order of the first value of each. */
export function groupPivots(pivots: readonly Pivot[]): readonly PivotGroup[] {
  const groups = Map.groupBy(pivots, ({ domains, average_risk, first_names }) =>
    JSON.stringify([domains, average_risk, first_names]),
  );
  return [...groups.values()].flatMap((members) => {
    const [first] = members;
    if (!first) return [];
    const { domains, average_risk, guided, first_names } = first;
    const byValue = Map.groupBy(members, ({ value }) => plain(value));
    // The shortest attribute is the plainest: registrant_name, not technical_contact.name.
    const values = [...byValue.values()].flatMap((same) =>
      same.toSorted((a, b) => plain(a.attribute).length - plain(b.attribute).length).slice(0, 1),
    );
    return [{ domains, average_risk, guided, first_names, values }];
  });
}

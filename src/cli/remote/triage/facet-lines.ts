/** The facets on the screen: attributes, or the values of one of them with their numbers. */
import { type ChosenFacets, type FacetName, facets } from './facets.ts';
import { cell, type Line, span } from './styled-line.ts';
import type { FacetsMode } from './triage-state.ts';

interface FacetView {
  readonly chosen: ChosenFacets;
  readonly width: number;
  readonly height: number;
}

const titleWidth = 16;
const numberWidth = 9;
const riskWidth = 7;

export function facetLines(mode: FacetsMode, { chosen, width, height }: FacetView): readonly Line[] {
  const { by, at, values } = mode;
  const title = by === undefined ? 'Narrow down' : `Narrow down: ${facets[by].title}`;
  const entries = by === undefined ? attributeLines(mode, chosen) : valueLines(mode, by, chosen, width);
  const room = Math.max(1, height - 2);
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), entries.length - room));
  const shown = entries
    .slice(first, first + room)
    .map((line, index): Line => [span(first + index === at ? '> ' : '  ', 'bold'), ...line]);
  return [[span(title, 'bold')], ...shown, ...(by === undefined ? [] : noteLines(values, mode.more))];
}

function attributeLines({ offered }: FacetsMode, chosen: ChosenFacets): readonly Line[] {
  return [
    [cell('all', titleWidth), span('every condition is removed', 'dim')],
    ...offered.map(
      (name): Line => [
        cell(facets[name].title, titleWidth),
        span(chosen[name]?.label ?? '', 'bold', 'yellow'),
      ],
    ),
  ];
}

function valueLines(
  { values = [] }: FacetsMode,
  by: FacetName,
  chosen: ChosenFacets,
  width: number,
): readonly Line[] {
  const own = chosen[by]?.value;
  const mark = (isChosen: boolean) =>
    span(isChosen ? '(x) ' : '( ) ', ...(isChosen ? (['bold'] as const) : []));
  const labelWidth = Math.max(8, Math.min(60, width - 7 - numberWidth - riskWidth));
  return [
    [mark(own === undefined), span('all')],
    ...values.map(
      ({ value, label, domains, averageRisk }): Line => [
        mark(own === value),
        cell(label, labelWidth),
        span((domains?.toLocaleString('en') ?? '').padStart(numberWidth)),
        span((typeof averageRisk === 'number' ? `⌀ ${averageRisk}` : '').padStart(riskWidth), 'dim'),
      ],
    ),
  ];
}

function noteLines(values: FacetsMode['values'], more: boolean): readonly Line[] {
  if (!values) return [[span('Counting …', 'dim')]];
  if (values.length === 0) return [[span('No values', 'dim')]];
  return more ? [[span('There are more: narrow down first.', 'dim')]] : [];
}

/** Colours of a terminal. */
export type Colour = 'red' | 'yellow' | 'green' | 'blue' | 'grey' | 'bold';

const codes: Readonly<Record<Colour, number>> = {
  red: 31,
  yellow: 33,
  green: 32,
  blue: 34,
  grey: 90,
  bold: 1,
};

export function coloured(text: string, colour: Colour | undefined): string {
  return colour === undefined || text === '' ? text : `\u001b[${codes[colour]}m${text}\u001b[0m`;
}

/** As https://no-color.org says: set and not empty. */
export function wantsColour(
  { color }: { readonly color?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return color !== false && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
}

/** The bands of a risk score that the web UI has too. */
export function riskColour(score: unknown): Colour | undefined {
  if (typeof score !== 'number') return undefined;
  if (score >= 70) return 'red';
  return score >= 40 ? 'yellow' : 'green';
}

/** Maps countries as registration data writes them to ISO 3166 codes in lower case. */

const aliases: Readonly<Record<string, string>> = {
  uk: 'gb',
  usa: 'us',
  'u s a': 'us',
  'united states of america': 'us',
  'great britain': 'gb',
  england: 'gb',
  scotland: 'gb',
  wales: 'gb',
  'northern ireland': 'gb',
  korea: 'kr',
  'republic of korea': 'kr',
  'korea republic of': 'kr',
  'russian federation': 'ru',
  'the netherlands': 'nl',
  holland: 'nl',
  'czech republic': 'cz',
  'viet nam': 'vn',
  'iran islamic republic of': 'ir',
  'islamic republic of iran': 'ir',
  'taiwan r o c': 'tw',
  'taiwan province of china': 'tw',
  'hong kong': 'hk',
  macao: 'mo',
  macau: 'mo',
  'p r china': 'cn',
  prc: 'cn',
  deutschland: 'de',
  espana: 'es',
  españa: 'es',
  italia: 'it',
  suisse: 'ch',
  schweiz: 'ch',
  osterreich: 'at',
  österreich: 'at',
  brasil: 'br',
  belgie: 'be',
  belgique: 'be',
  sverige: 'se',
  polska: 'pl',
  turkey: 'tr',
  'moldova republic of': 'md',
  'tanzania united republic of': 'tz',
  'venezuela bolivarian republic of': 've',
  'bolivia plurinational state of': 'bo',
  macedonia: 'mk',
};

let known: ReadonlyMap<string, string> | undefined;

/** Undefined where the text is not a country. */
export function findCountryCode(text: string): string | undefined {
  known ??= countriesByName();
  if (text.length > 80) return undefined;
  const name = plain(text);
  const found = known.get(name);
  if (found !== undefined) return found;
  // "China (CN)" and "FR (FRANCE)".
  const [, outer = '', inner = ''] = /^([^()]+)\(([^()]+)\)\s*$/.exec(text) ?? [];
  return known.get(plain(inner)) ?? known.get(plain(outer));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function countriesByName(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const found = new Map<string, string>(Object.entries(aliases));
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = names.of(code);
    // Deprecated and reserved codes map to other codes or to none.
    if (name === undefined || /^X[AB]$|^ZZ$/.test(code) || new Intl.Locale(`und-${code}`).region !== code)
      continue;
    if (!found.has(plain(name))) found.set(plain(name), code.toLowerCase());
    if (!found.has(code.toLowerCase())) found.set(code.toLowerCase(), code.toLowerCase());
  }
  return found;
}

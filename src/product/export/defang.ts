/** Indicators that no program makes a link of: `login[.]example`, `hxxps[://]login[.]example`, `owner[@]mail[.]example`. */
export function defang(text: string): string {
  return text
    .replaceAll(/http(?=s?:)/gi, 'hxxp')
    .replaceAll('://', '[://]')
    .replaceAll(/(?<=[\p{L}\p{N}_*-])\.(?=[\p{L}\p{N}_-])/gu, '[.]')
    .replaceAll('@', '[@]');
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Every text of a value, however deep; times stay as they are. */
export function defangAll(value: unknown): unknown {
  if (typeof value === 'string') return instant.test(value) ? value : defang(value);
  if (Array.isArray(value)) return value.map(defangAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, defangAll(member)]));
}

/** Reserved (RFC 2606) or nobody's: none of them is, or is about to be, in the root of the real Internet. */
export const topLevelDomains = [
  'zon',
  'orb',
  'test',
  'quill',
  'example',
  'lumen',
  'velt',
  'brax',
  'nimbo',
] as const;

/** Those whose zones are for everybody to read. */
export const publishedZones = ['zon', 'orb'] as const;

/** Where everybody can have a name: of the world's own domains, one label and this. */
export function topLevelOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** The registrable domain of a name of the world; undefined for a top-level domain. */
export function baseOf(name: string): string | undefined {
  const last = name.lastIndexOf('.');
  if (last < 1) return undefined;
  return name.slice(name.lastIndexOf('.', last - 1) + 1);
}

/** Reserved (RFC 2606) or unassigned: none of them is, or is about to be, in the root of the real Internet. */
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

/** Those whose zone files are public. */
export const publishedZones = ['zon', 'orb'] as const;

/** A public suffix: registrable domains are one label below it. */
export function topLevelOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** The registrable domain of a name of the world; undefined for a top-level domain. */
export function baseOf(name: string): string | undefined {
  const last = name.lastIndexOf('.');
  if (last < 1) return undefined;
  return name.slice(name.lastIndexOf('.', last - 1) + 1);
}

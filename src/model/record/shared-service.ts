/** Recognises content delivery networks and parking services by their names: what their customers share says nothing about who they are. */

export type SharedService = 'cdn' | 'parking';

const cdn =
  /\b(?:cloudflare|akamai(?:edge|technologies)?|fastly|cloudfront|edgecast|edgio|incapsula|imperva|sucuri|stackpath|bunny ?(?:cdn|way)|cdn77|keycdn|gcore|azureedge|limelight|cachefly|cdn)\b/i;

const parking =
  /\b(?:park(?:ing|ed|ingcrew|logic|web)|sedo(?:parking)?|bodis|above\.com|dan\.com|afternic|hugedomains|undeveloped|domaincontrol-parking|namebright|voodoo\.com|fabulous\.com|domainmarket|uniregistrymarket)\b/i;

/** By the name of a network, or of a name server. */
export function findSharedService(name: string): SharedService | undefined {
  if (parking.test(name)) return 'parking';
  return cdn.test(name) ? 'cdn' : undefined;
}

/** Domains in a batch of new ones, which is appended to the feed in one call, one line per domain. */
export const batchDomainsMax = 10_000;

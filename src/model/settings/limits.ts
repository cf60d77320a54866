/** How much a client may ask for: the limits of each product. */
import { Type } from 'typebox';
import { whole } from './kinds.ts';

export const Limits = Type.Object({
  productRequestsPerMinute: whole(600, 'requests per minute to any product without its own limit'),
  detect: Type.Object({
    monitorsQueriesPerHour: whole(1, 'requests per hour to list monitors'),
    newDomainsQueriesPerHour: whole(1, 'requests per hour to list new domains; following pages do not count'),
    watchedDomainsQueriesPerHour: whole(
      1,
      'requests per hour to list watched domains; following pages do not count',
    ),
    previewDomainsMax: whole(10, 'maximum number of domains in a response with preview set'),
    previewRequestsPerMinute: whole(30, 'requests per minute with preview set'),
    escalationBlockedDomainsMax: whole(100, 'maximum number of domains in one escalation of type blocked'),
    escalationExternalSafeDomainsMax: whole(
      10,
      'maximum number of domains in one escalation of type external_safe',
    ),
    escalationsPerMinute: whole(30, 'escalation requests per minute'),
    offsetMax: whole(100_000, 'maximum offset of Detect lists'),
    domainsLimitMax: whole(100, 'maximum limit of a domain list'),
    domainsLimitWithDataMax: whole(50, 'maximum limit of a domain list with include_domain_data'),
    monitorsLimitMax: whole(500, 'default and maximum limit of the monitor list'),
    monitorsLimitWithCountsMax: whole(100, 'maximum limit of the monitor list with include_counts'),
  }),
  investigate: Type.Object({
    domainsMax: whole(100, 'maximum number of domains in one Investigate request'),
    matchesMax: whole(
      10_000,
      'maximum number of matches of an Investigate search; a broader search returns no results',
    ),
    pageSizeMax: whole(500, 'default and maximum page size of Investigate results'),
    guidedPivotDomainsMax: whole(
      500,
      'maximum number of domains that share a value for it to be offered as a guided pivot',
    ),
  }),
  feed: Type.Object({
    queriesPerMinute: whole(2, 'queries per minute to one feed'),
    queriesPerHour: whole(120, 'queries per hour to one feed'),
    recordsMax: whole(
      10_000_000,
      'maximum number of records in one feed response; further records follow in the next',
    ),
  }),
  ingest: Type.Object({
    requestsPerMinute: whole(120, 'requests per minute of an account to append lines to its channels'),
    bytesPerHour: whole(
      268_435_456,
      'bytes that an account may append to its channels per hour (UTC); at least http.bodyBytesMax, or the largest bodies are never accepted',
    ),
  }),
  usersPerAccountMax: whole(500, 'maximum number of users of an account; existing users stay'),
  assistant: Type.Object({
    requestsPerSecond: whole(10, 'requests per second of a key to the assistant-tool server, after a burst'),
    burstRequests: whole(20, 'requests of a key to the assistant-tool server that are answered at once'),
  }),
  taxii: Type.Object({
    requestsPerMinute: whole(120, 'requests per minute of an account to each TAXII collection'),
  }),
});

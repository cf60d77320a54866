/**
 * Tests of the fast kind that take long for what they are about: crashes at every step, damage, peers that stall or send too much, large data,
 * training. They run with the system tests, a few files in one process like those of `npm test`; `npm test -- FILE` runs one at once.
 */
export const longTests: readonly string[] = [
  // Crashes, and what resumes after them.
  'test/collect/import-channel.test.ts',
  'test/collect/sources/zone-files.test.ts',
  'test/pipeline/publishing/publish-observations.test.ts',
  'test/pipeline/publishing/sightings.test.ts',
  'test/store/embedded/domain/reindex.test.ts',
  'test/store/embedded/stream/power-failure.test.ts',
  // Damage.
  'test/store/embedded/rrset/damage.test.ts',
  'test/store/embedded/stream/damaged-segments.test.ts',
  // Peers that stall, or send too much.
  'test/api/feed/streaming.test.ts',
  'test/api/feed/tail.test.ts',
  'test/api/pdns/stream.test.ts',
  'test/collect/input/lines.test.ts',
  'test/collect/sources/certificate-logs/certificate-log.test.ts',
  'test/http/raw-socket.test.ts',
  'test/store/rrset/search/text-search.test.ts',
  'test/zone-transfer/notify.test.ts',
  'test/zone-transfer/transfer.test.ts',
  // Large or random data, compared in full.
  'test/api/taxii/paging.test.ts',
  'test/collect/dnstap/client-counter.test.ts',
  'test/model/lookalike/random-attacks.test.ts',
  'test/pipeline/discovery/start-discovery.test.ts',
  'test/store/embedded/domain/prepared-records.test.ts',
  'test/store/embedded/domain/search/search.test.ts',
  'test/store/embedded/stream/shared-chunks.test.ts',
  // Training.
  'test/model/risk/record/record-model.test.ts',
  'test/tools/risk-model/evaluate-slices.test.ts',
  'test/tools/risk-model/small-model.test.ts',
];

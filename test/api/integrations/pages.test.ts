/** The requests on the pages of docs/integrations, sent byte for byte: each gets what its page says, with everything that the connector reads. */
import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { list, root } from '../../tidy/source-tree.ts';
import { connectorWorld } from './connector-world.ts';
import { assertMember, documentsOf, readIntegrationPage } from './integration-page.ts';

const world = await connectorWorld({ after });

const pages = ['opencti', 'misp', 'xsoar', 'splunk', 'cortex', 'thehive'];

test('every page with requests of connectors is replayed', () => {
  const withRequests = list('docs/integrations/*.md').filter(
    (page) => readIntegrationPage(join(root, page)).requests.names.length > 0,
  );
  assert.deepEqual(withRequests.map((page) => basename(page, '.md')).sort(), [...pages].sort());
});

for (const name of pages) {
  const { requests, expected } = readIntegrationPage(join(root, `docs/integrations/${name}.md`));
  for (const request of requests.names)
    test(`${name}: "${request}" is answered as its page says`, async () => {
      // One signature serves one write.
      world.server.clock.advanceSeconds(1);
      const { status, contentType, reads } = expected.get(request) ?? assert.fail(request);
      const answer = await world.exchange(
        requests.bytesOf(request, world.valuesFor(requests.pathOf(request))),
      );
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.headers['content-type']?.split(';')[0], contentType);
      for (const path of reads) assertMember(documentsOf(answer.text), path);
    });
}

/** Blocklists, shared collections, decisions and triage on PostgreSQL. */
import { type TestContext, test } from 'node:test';
import { decisionStoreConformance } from '../../conformance/decision-store.ts';
import { blocklistStoreConformance } from '../../conformance/detect/blocklist-store.ts';
import { detectModelConformance } from '../../conformance/detect/detect-model.ts';
import { sharingStoreConformance } from '../../conformance/detect/sharing-store.ts';
import { triageStoreConformance } from '../../conformance/triage-store.ts';
import { detectNodesOn } from '../../harness/engines/detect-nodes.ts';
import { startPostgres } from '../../harness/engines/postgres.ts';
import { fileScope } from '../../harness/test-scope.ts';

const postgres = await startPostgres(fileScope());
if (postgres) {
  const opening = (t: TestContext) => {
    const open = detectNodesOn(postgres, t);
    return () => open().stores;
  };
  const adapter = 'the distributed adapter';
  blocklistStoreConformance(adapter, opening);
  sharingStoreConformance(adapter, opening);
  decisionStoreConformance(adapter, opening);
  triageStoreConformance(adapter, opening);
  detectModelConformance(adapter, opening);
} else {
  test('blocklists and triage on PostgreSQL', (t) => t.skip('skipped: no PostgreSQL'));
}

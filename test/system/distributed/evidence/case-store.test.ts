import { openCaseStore } from '../../../../src/store/distributed/evidence/case-store.ts';
import { caseStoreConformance } from '../../../conformance/evidence/case-store.ts';
import { newNodes } from '../../../harness/engines/nodes.ts';
import { startPostgres } from '../../../harness/engines/postgres.ts';
import { fileScope } from '../../../harness/test-scope.ts';

const postgres = await startPostgres(fileScope());

if (postgres)
  caseStoreConformance('the distributed adapter', (t) => {
    const node = newNodes(postgres, ['images'], t);
    return () => openCaseStore(node());
  });

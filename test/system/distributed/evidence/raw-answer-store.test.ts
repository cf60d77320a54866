import { openRawAnswerStore } from '../../../../src/store/distributed/evidence/raw-answer-store.ts';
import { rawAnswerStoreConformance } from '../../../conformance/evidence/raw-answer-store.ts';
import { newNodes } from '../../../harness/engines/nodes.ts';
import { startPostgres } from '../../../harness/engines/postgres.ts';
import { fileScope } from '../../../harness/test-scope.ts';

const postgres = await startPostgres(fileScope());

if (postgres)
  rawAnswerStoreConformance('the distributed adapter', (t) => {
    const node = newNodes(postgres, ['images'], t);
    return () => openRawAnswerStore(node());
  });

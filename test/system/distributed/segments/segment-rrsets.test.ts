import { newlyObservedConformance } from '../../../conformance/rrset-new-observations.ts';
import { type OpenRrsetStore, rrsetStoreConformance } from '../../../conformance/rrset-store.ts';
import { startPostgres } from '../../../harness/engines/postgres.ts';
import { startRadosGateway } from '../../../harness/engines/rados-gateway.ts';
import { newSegmentNodes } from '../../../harness/engines/segment-nodes.ts';
import { fileScope } from '../../../harness/test-scope.ts';

const scope = fileScope();
const postgres = await startPostgres(scope);
const gateway = await startRadosGateway(scope);

if (postgres && gateway) {
  const open: OpenRrsetStore = (t) => {
    const nodes = newSegmentNodes(postgres, gateway.newOptions(), t);
    return () => nodes.open();
  };
  rrsetStoreConformance('the adapter with segments in an object store', open);
  newlyObservedConformance('the adapter with segments in an object store', open);
}

import { type JobTable, openInMemoryJobStore } from './in-memory-job-store.ts';
import { jobStoreConformance } from './job-store.ts';

jobStoreConformance('the in-memory adapter', () => {
  const table: JobTable = new Map();
  return () => openInMemoryJobStore(table);
});

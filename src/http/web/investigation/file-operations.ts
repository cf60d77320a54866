/** Investigations as files: export and import. */
import {
  createInvestigation,
  getInvestigation,
  type InvestigationNeeds,
} from '../../../product/investigations/investigations.ts';
import { bodyOf } from '../../platform/operation/raw-parameters.ts';
import { defineWebOperation, type WebOperation } from '../web-operation.ts';
import { fileOf, readInvestigationFile } from './investigation-file.ts';
import { InvestigationParams } from './investigation-operations.ts';
import { investigationOnWire } from './investigation-view.ts';
import { InvestigationView } from './investigation-wire.ts';
import type { QueryNeeds } from './query-search.ts';

export type FileOperationNeeds = InvestigationNeeds & QueryNeeds;

export function fileOperations(needs: FileOperationNeeds): readonly WebOperation[] {
  const get = defineWebOperation({
    method: 'GET',
    path: '/investigations/:id/export',
    access: 'read',
    summary: 'An investigation as a file',
    params: InvestigationParams,
    respond: async ({ caller, params, nowMs, reply }) => {
      const investigation = await getInvestigation(caller, params.id, needs);
      return reply
        .header('content-disposition', `attachment; filename="investigation-${investigation.id}.json"`)
        .header('cache-control', 'no-store')
        .type('application/json; charset=utf-8')
        .send(fileOf(investigation, nowMs));
    },
  });

  const post = defineWebOperation({
    method: 'POST',
    path: '/investigations/import',
    access: 'triage',
    summary: 'Creates a private investigation from a file, which is the body',
    answer: InvestigationView,
    handle: async (input) => {
      const { caller, request, nowMs } = input;
      const content = await readInvestigationFile(bodyOf(request).toString('utf8'), input, needs);
      const { id } = await createInvestigation(caller, content, needs, nowMs);
      return investigationOnWire(await getInvestigation(caller, id, needs), caller);
    },
  });

  return [get, post];
}

/** Evidence packs and their cases. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  ChangeCaseBody,
  CaseList as ListWire,
  MadePack,
  NewPack,
  CaseView as ViewWire,
} from '../../../../src/http/web/evidence/evidence-wire.ts';
import { downloadFile } from '../../data/download.ts';
import type { Received } from '../../data/foreign.ts';
import { request } from '../../data/request.ts';

export type CaseLine = Received<ListWire>['cases'][number];
export type CaseView = Received<ViewWire>;
export type EvidenceCase = CaseView['case'];
export type Recipient = EvidenceCase['recipient'];
export type Outcome = EvidenceCase['outcome'];
export type { ChangeCaseBody };

export const recipients: readonly Recipient[] = [
  'registrar',
  'hosting-provider',
  'lawyer',
  'takedown-service',
  'other',
];
export const outcomes: readonly Outcome[] = [
  'open',
  'taken-down',
  'suspended',
  'refused',
  'unanswered',
  'closed',
];
/** The server refuses more. */
export const packDomainsMax = 20;
export const [recipientNameLengthMax, noteLengthMax] = [200, 2000];

const casesKey = ['evidence'] as const;

export function useCases() {
  return useQuery({
    queryKey: [...casesKey, 'list'],
    queryFn: ({ signal }) => request<ListWire>('GET', '/evidence', { signal }),
  });
}

export function useCase(id: string) {
  return useQuery({
    queryKey: [...casesKey, 'case', id],
    queryFn: ({ signal }) => request<ViewWire>('GET', `/evidence/${encodeURIComponent(id)}`, { signal }),
  });
}

function useCaseMutation<Input, Answer>(send: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () => client.invalidateQueries({ queryKey: casesKey }),
  });
}

const downloadPack = (id: string): Promise<string> =>
  downloadFile(`/evidence/${encodeURIComponent(id)}/pack`, {}, new AbortController().signal);

/** Makes a pack and saves it. */
export const useMakePack = () =>
  useCaseMutation(async (body: NewPack) => {
    const { id } = await request<MadePack>('POST', '/evidence', { body });
    return { id, file: await downloadPack(id) };
  });

export const useDownloadPack = () => useMutation({ mutationFn: downloadPack });

export function useChangeCase(id: string) {
  return useCaseMutation((body: ChangeCaseBody) =>
    request<ViewWire>('PATCH', `/evidence/${encodeURIComponent(id)}`, { body }),
  );
}

export function useDeleteCase(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>('DELETE', `/evidence/${encodeURIComponent(id)}`),
    // Not the case itself, which is not there any more.
    onSuccess: () => client.invalidateQueries({ queryKey: [...casesKey, 'list'] }),
  });
}

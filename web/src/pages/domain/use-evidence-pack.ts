/** Makes an evidence pack, and saves it. Gives the name of the file. */
import { useMutation } from '@tanstack/react-query';
import type { MadePack } from '../../../../src/http/web/evidence/evidence-wire.ts';
import { downloadFile } from '../../data/download.ts';
import { request } from '../../data/request.ts';

export function useEvidencePack() {
  return useMutation({
    mutationFn: async (domains: readonly string[]) => {
      const { id } = await request<MadePack>('POST', '/evidence', { body: { domains } });
      return downloadFile(`/evidence/${id}/pack`, {}, new AbortController().signal);
    },
  });
}

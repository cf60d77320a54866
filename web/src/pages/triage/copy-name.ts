import type { Domain } from '../../data/detect.ts';
import { plain } from '../../data/foreign.ts';
import { showToast } from '../../data/toasts.ts';
import { defang } from '../../names/defang.ts';
import { copyWords } from '../../words/triage.ts';

export async function copyText(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ text: said });
  } catch {
    showToast({ bad: true, text: copyWords.refused });
  }
}

/** In punycode, which means the same everywhere. */
export function copyName(domain: Domain, isDefanged: boolean): Promise<void> {
  const name = plain(domain.punycode);
  return copyText(isDefanged ? defang(name) : name, isDefanged ? copyWords.defanged : copyWords.live);
}

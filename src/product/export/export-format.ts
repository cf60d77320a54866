/** What a format of exported domains is: a text that is written domain by domain, so that no export is ever held as a whole. */
import type { DomainRecord } from '../../model/record/domain-record.ts';
import type { TlpColour } from '../../model/stix/tlp-marking.ts';

export interface ExportedDomain {
  readonly record: DomainRecord;
  /** The labels that the person who exports can see. */
  readonly tags: readonly string[];
}

export interface ExportContext {
  /** Who exports: the author of what the file says. */
  readonly account: { readonly id: string; readonly name: string };
  /** What the export is of, as one text: the same export of the same account has the same ids. */
  readonly subject: string;
  readonly nowMs: number;
  readonly defanged: boolean;
  /** Who may be shown the file, for formats that say so. */
  readonly marking: TlpColour;
}

export interface ExportFormat {
  readonly extension: string;
  readonly contentType: string;
  /** Programs act on the names of some formats, so those have no defanged form. */
  readonly canDefang: boolean;
  /** Called once for each file. */
  readonly open: (context: ExportContext) => DomainWriter;
}

export interface DomainWriter {
  readonly begin: string;
  readonly domain: (domain: ExportedDomain) => string;
  readonly end: string;
}

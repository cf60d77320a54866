import { Copy } from 'lucide-react';
import { foreign, plain } from '../../data/foreign.ts';
import { Text } from '../../parts/text.tsx';
import { actionWords } from '../../words/parts.ts';
import { questionLineWords as words } from '../../words/passive-dns.ts';
import { copyText } from '../triage/copy-name.ts';
import type { QuestionView } from './passive-dns-data.ts';

/** Ready lines that ask the passive DNS API the same. */
export function QuestionLines({ question: { address, dnsdbq } }: { question: QuestionView }) {
  const { origin } = location;
  const url = `${origin}${plain(address)}`.replaceAll("'", '%27');
  const curl = `curl -H 'X-API-Key: KEY' '${url}'`;
  return (
    <section className="panel pdns-lines">
      <h2>{words.heading}</h2>
      <Line text={curl} name={words.curl} />
      {dnsdbq !== null && (
        <Line text={`DNSDB_SERVER=${origin} DNSDB_API_KEY=KEY ${plain(dnsdbq)}`} name={words.dnsdbq} />
      )}
      <p>
        <small>
          {words.key} {dnsdbq === null && words.noProfile}
        </small>
      </p>
    </section>
  );
}

function Line({ text, name }: { text: string; name: string }) {
  return (
    <div className="line-of">
      <code tabIndex={0} role="region" aria-label={name}>
        <Text of={foreign(text)} />
      </code>
      <button
        type="button"
        className="ghost"
        aria-label={`${actionWords.copy}: ${name}`}
        onClick={() => void copyText(text, words.copied)}
      >
        <Copy size={15} aria-hidden />
      </button>
    </div>
  );
}

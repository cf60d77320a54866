/** What the check of a pack has shown. Everything that the pack says of itself is text of somebody else. */
import { CircleCheck, CircleX } from 'lucide-react';
import type { VerifiedPack } from '../../../../src/model/evidence/verify-pack.ts';
import { type Foreign, foreign } from '../../data/foreign.ts';
import { TableHead } from '../../parts/table-head.tsx';
import { Text } from '../../parts/text.tsx';
import { WideTable } from '../../parts/wide-table.tsx';
import { verifyWords as words } from '../../words/evidence/cases.ts';
import type { WhoseKey } from './verify.tsx';

interface VerifiedProps {
  readonly name: Foreign;
  readonly pack: VerifiedPack;
  readonly of: WhoseKey;
}

export function Verified({ name, pack, of }: VerifiedProps) {
  const { isIntact, faults, manifest } = pack;
  return (
    <section className="panel verified" aria-live="polite">
      <h2 className={isIntact ? 'good' : 'bad'}>
        {isIntact ? <CircleCheck size={20} aria-hidden /> : <CircleX size={20} aria-hidden />}
        {isIntact ? words.intact : words.notIntact}
      </h2>
      <p>
        <Text of={name} />
        {!isIntact && <span className="pale"> {words.faultCount(faults.length)}</span>}
      </p>
      <Checks pack={pack} of={of} />
      {faults.length > 0 && (
        <>
          <h3>{words.faults}</h3>
          <ul className="faults">
            {faults.map(({ path, fault }, index) => (
              <li key={index}>
                <Text className="mono" of={foreign(path)} /> {words.fault[fault]}
              </li>
            ))}
          </ul>
        </>
      )}
      {manifest && isIntact && <Contents manifest={manifest} />}
      {!manifest && <p className="pale">{words.unchecked}</p>}
    </section>
  );
}

function Checks({ pack: { faults, fingerprint, manifest }, of }: Pick<VerifiedProps, 'pack' | 'of'>) {
  const isSigned =
    fingerprint !== undefined &&
    manifest !== undefined &&
    !faults.some(({ fault }) => fault === 'invalid-signature' || fault === 'other-key');
  const wrong = new Set(faults.map(({ path }) => path));
  const right = manifest?.items.filter(({ path }) => !wrong.has(path)).length ?? 0;
  const whose = { server: words.signedByServer, sender: words.signedBySender, pack: words.signedByPack }[of];
  return (
    <ul className="checks">
      <li className={isSigned ? 'good' : 'bad'}>
        {isSigned ? words.checkedSignature : words.notSigned}{' '}
        {fingerprint === undefined ? words.noKey : <Text className="mono" of={foreign(fingerprint)} />}{' '}
        {isSigned && whose}
      </li>
      {isSigned && <li className={faults.length === 0 ? 'good' : 'bad'}>{words.checkedFiles(right)}</li>}
    </ul>
  );
}

function Contents({ manifest }: { manifest: NonNullable<VerifiedPack['manifest']> }) {
  const { pack, created, server, recipient, domains, items } = manifest;
  const facts: readonly (readonly [string, string])[] = [
    [words.facts.pack, pack],
    [words.facts.created, created],
    [words.facts.server, server],
    [words.facts.recipient, recipient],
    [words.facts.domains, domains.map(({ unicode }) => unicode).join(', ')],
  ];
  return (
    <>
      <dl className="pack-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Text of={foreign(value)} />
            </dd>
          </div>
        ))}
      </dl>
      <WideTable label={words.files}>
        <table className="data-table">
          <TableHead columns={[words.file, words.probe, words.checksum]} />
          <tbody>
            {items.map(({ path, request = '', last_seen = '', sha256 }) => (
              <tr key={path}>
                <td className="mono">
                  <Text of={foreign(path)} />
                </td>
                <td>
                  <Text of={foreign(request)} /> <Text className="pale" of={foreign(last_seen)} />
                </td>
                <td className="mono pale">
                  <Text of={foreign(sha256)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </>
  );
}

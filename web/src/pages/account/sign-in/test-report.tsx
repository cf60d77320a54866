import { type TestResult, useTestResult } from '../../../data/account/sign-on.ts';
import { plain } from '../../../data/foreign.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { Failure, Skeletons } from '../../../parts/region.tsx';
import { Text } from '../../../parts/text.tsx';
import { WideTable } from '../../../parts/wide-table.tsx';
import { testWords as words } from '../../../words/identity-providers.ts';
import { faultWords } from '../../../words/sign-on.ts';

/** What came of a test sign-in: what would have happened, and everything that the provider said. */
export function TestReport({ token, close }: { token: string; close: () => void }) {
  const test = useTestResult(token);
  return (
    <Dialog label={words.title} close={close} className="wide">
      <h2>{words.title}</h2>
      {test.isLoading && <Skeletons count={6} label={words.loading} />}
      {test.isError && <Failure error={test.error} what={words.what} />}
      {test.data && <Report of={test.data} />}
      <div className="buttons">
        <button type="button" className="primary" onClick={close}>
          {words.done}
        </button>
      </div>
    </Dialog>
  );
}

function Report({ of: { would, fault, subject, claims } }: { of: TestResult }) {
  return (
    <div className="test-report">
      {would && (
        <p className="banner good">
          {words.would[would.does](<Text of={would.name} />)}{' '}
          {words.permissions(would.permissions.join(', '))}
        </p>
      )}
      {fault && (
        <div className="banner bad" role="alert">
          <p>
            <b>{words.refused}</b>
          </p>
          <p>{faultWords[fault.code]}</p>
          <p className="mono">
            <Text of={fault.detail} />
          </p>
        </div>
      )}
      {subject === null ? (
        <p className="pale">{words.noClaims}</p>
      ) : (
        <WideTable label={words.title}>
          <table className="data-table">
            <thead>
              <tr>
                <th scope="col">{words.claim}</th>
                <th scope="col">{words.values}</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">{words.subject}</th>
                <td className="mono">
                  <Text of={subject} />
                </td>
              </tr>
              {claims.map(({ name, values }) => (
                <tr key={plain(name)}>
                  <th scope="row" className="mono">
                    <Text of={name} />
                  </th>
                  <td className="mono">
                    {values.map((value, index) => (
                      <span key={index} className="line">
                        <Text of={value} />
                      </span>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
      <p className="pale">{words.nobody}</p>
    </div>
  );
}

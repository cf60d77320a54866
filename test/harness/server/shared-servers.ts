/**
 * One server for all tests of a file that want the same settings: a server of its own is most of what a small test costs. A test takes a new user,
 * and so a new account, for whatever it changes; one that needs damaged data or counts of the whole store makes a server of its own.
 */
import type { Operation } from '../../../src/http/platform/operation/define-operation.ts';
import { sharedInFile } from '../test-scope.ts';
import { type TestServer, type TestServerOptions, testServer } from './test-server.ts';

type SharedOptions = Pick<TestServerOptions, 'settings' | 'operations'>;

/**
 * `const sharedServer = sharedServers()`, then `await sharedServer()` in a test, where `testServer(t)` would make another one. Each test finds the
 * clock where it began, so tests must run one after another.
 */
export function sharedServers(): (options?: SharedOptions) => Promise<TestServer> {
  const operationsByNumber: (readonly Operation[] | undefined)[] = [undefined];
  const share = sharedInFile(
    (scope, [number, settings]: readonly [number, TestServerOptions['settings'] & object]) => {
      const operations = operationsByNumber[number];
      return testServer(scope, { settings, ...(operations && { operations }) });
    },
  );
  return async ({ settings = {}, operations } = {}) => {
    if (!operationsByNumber.includes(operations)) operationsByNumber.push(operations);
    const server = await share([operationsByNumber.indexOf(operations), settings]);
    server.clock.reset();
    return server;
  };
}

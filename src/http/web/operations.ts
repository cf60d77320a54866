/** Every operation of the web UI. A family joins by adding its function to this list, and its needs to the type. */
import { type AlertWebNeeds, alertWebOperations } from './alert/alert-web-operations.ts';
import { type BlocklistWebNeeds, blocklistWebOperations } from './blocklist/blocklist-web-operations.ts';
import { type DetectWebNeeds, detectWebOperations } from './detect/detect-web-operations.ts';
import { type DomainWebNeeds, domainWebOperations } from './domain/domain-web-operations.ts';
import { type MonitorWebNeeds, monitorWebOperations } from './monitor/monitor-web-operations.ts';
import { type SessionWebNeeds, sessionWebOperations } from './session/session-web-operations.ts';
import type { WebOperation } from './web-operation.ts';

export type WebNeeds = SessionWebNeeds &
  DetectWebNeeds &
  DomainWebNeeds &
  MonitorWebNeeds &
  AlertWebNeeds &
  BlocklistWebNeeds;

export function webOperations(needs: WebNeeds): readonly WebOperation[] {
  return [
    ...sessionWebOperations(needs),
    ...detectWebOperations(needs),
    ...domainWebOperations(needs),
    ...monitorWebOperations(needs),
    ...alertWebOperations(needs),
    ...blocklistWebOperations(needs),
  ];
}

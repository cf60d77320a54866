/** Monitors as the text of a YAML file, with comments for those who edit it next. */
import { stringify } from 'yaml';
import type { ExistingMonitor } from './plan-changes.ts';

const head = `# Monitors as code. Check the tests:   nameglass monitor test DIRECTORY
# See what would change, and change it: nameglass monitor apply DIRECTORY
#
# Beside the settings a monitor may have tests:
#   must_match: [acme-login.com]
#   must_not_match:
#     - acmeister.example
#     - { domain: acme.example, name_servers: [ns1.acme.example] }
`;

export function monitorFileText(monitors: readonly ExistingMonitor[]): string {
  const list = monitors.map((monitor) => ({
    term: monitor.term,
    ...(monitor.state === 'inactive' ? { state: monitor.state } : {}),
    ...(monitor.matchSubstringVariations ? { match_substring_variations: true } : {}),
    ...(monitor.textExclusions.length > 0 ? { text_exclusions: monitor.textExclusions } : {}),
    ...(monitor.nameserverExclusions.length > 0
      ? { nameserver_exclusions: monitor.nameserverExclusions }
      : {}),
    ...(monitor.passiveOnly ? { passive_only: true } : {}),
  }));
  return `${head}${stringify({ monitors: list })}`;
}

import { type KeyBinding } from '../keys/key-registry.ts';
import { keyRegistry } from '../keys/use-keys.ts';
import { Dialog } from '../parts/dialog.tsx';

const groups: readonly KeyBinding['group'][] = [
  'Move',
  'Select',
  'Decide',
  'Domain',
  'Lists',
  'Go to',
  'General',
];

const shownKeys: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  Escape: 'Esc',
  Enter: '⏎',
};

export function Keys({ of }: { of: string }) {
  return (
    <>
      {of.split(' ').map((part) => (
        <kbd key={part}>{shownKeys[part] ?? part.replace('Mod+k', 'Ctrl K').replace('Shift+', '⇧ ')}</kbd>
      ))}
    </>
  );
}

export function Help({ close }: { close: () => void }) {
  const bindings = keyRegistry.all();
  return (
    <Dialog label="Keys" close={close} className="wide">
      <h2>Keys</h2>
      <div className="key-groups">
        {groups.map((group) => {
          const own = bindings.filter((binding) => binding.group === group);
          if (own.length === 0) return null;
          return (
            <section key={group}>
              <h3>{group}</h3>
              <dl>
                {own.map(({ keys, also = [], label }) => (
                  <div key={keys}>
                    <dt>
                      {[keys, ...also].map((one) => (
                        <Keys key={one} of={one} />
                      ))}
                    </dt>
                    <dd>{label}</dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
      <p className="pale">Keys are off while you type. Single keys can be switched off in the settings.</p>
    </Dialog>
  );
}

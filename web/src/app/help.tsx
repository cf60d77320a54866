import { type KeyBinding } from '../keys/key-registry.ts';
import { keyRegistry } from '../keys/use-keys.ts';
import { Dialog } from '../parts/dialog.tsx';
import { keyWords } from '../words/app.ts';

const groups = Object.keys(keyWords.groups) as readonly KeyBinding['group'][];
const shownKeys: Readonly<Record<string, string>> = keyWords.shown;

export function Keys({ of }: { of: string }) {
  return (
    <>
      {of.split(' ').map((part) => (
        <kbd key={part}>{shownKeys[part] ?? part.replace('Shift+', '⇧ ')}</kbd>
      ))}
    </>
  );
}

export function Help({ close }: { close: () => void }) {
  const bindings = keyRegistry.all();
  return (
    <Dialog label={keyWords.title} close={close} className="wide">
      <h2>{keyWords.title}</h2>
      <div className="key-groups">
        {groups.map((group) => {
          const own = bindings.filter((binding) => binding.group === group);
          if (own.length === 0) return null;
          return (
            <section key={group}>
              <h3>{keyWords.groups[group]}</h3>
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
      <p className="pale">{keyWords.hint}</p>
    </Dialog>
  );
}

import { X } from 'lucide-react';
import { useStore } from '../data/store.ts';
import { dismissToast, toasts } from '../data/toasts.ts';
import { shellWords } from '../words/app.ts';

export function ToastList() {
  const shown = useStore(toasts);
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, text, bad, action }) => (
        <div key={id} className={bad ? 'toast bad' : 'toast'} role={bad ? 'alert' : undefined}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              onClick={() => {
                dismissToast(id);
                action.run();
              }}
            >
              {action.label} {action.key !== undefined && <kbd>{action.key}</kbd>}
            </button>
          )}
          <button
            type="button"
            className="ghost"
            aria-label={shellWords.dismiss}
            onClick={() => dismissToast(id)}
          >
            <X size={14} aria-hidden />
          </button>
        </div>
      ))}
    </div>
  );
}

/** Changes of monitors that would have left out what was ignored, to be accepted or dismissed, and the answers to earlier ones. */
import { Check, Undo2, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { plain } from '../../data/foreign.ts';
import { useMissing } from '../../data/me.ts';
import {
  type Suggestion,
  type SuggestionAnswer,
  useAnswerSuggestion,
  useTakeBack,
} from '../../data/monitors.ts';
import { showToast } from '../../data/toasts.ts';
import { Text } from '../../parts/text.tsx';
import { Ago } from '../../parts/time.tsx';
import { learningWords as words } from '../../words/monitors.ts';
import { timeWords } from '../../words/parts.ts';
import { showFailure } from '../triage/decision-messages.tsx';
import { BackTest } from './back-test.tsx';

/**
 * Held by what stays on the page: an accepted suggestion leaves it, with the button that had the focus. The focus then goes to the same position
 * of the list, or to its last button; where the list is empty, to the summary that folds it, or to the heading.
 */
export function useAnswers() {
  const answering = useAnswerSuggestion();
  const takingBack = useTakeBack();
  const left = useRef<FocusPosition>(undefined);
  const isBusy = answering.isPending || takingBack.isPending;
  useEffect(() => {
    if (isBusy || !left.current) return;
    restoreFocus(left.current);
    left.current = undefined;
  }, [isBusy]);
  const takeBack = (id: string) => {
    left.current = focusPosition();
    takingBack.mutate(id, {
      onSuccess: () => showToast({ text: words.takenBack }),
      onError: showFailure,
    });
  };
  const answer = (id: string, outcome: 'accepted' | 'dismissed') => {
    left.current = focusPosition();
    answering.mutate(
      { id, outcome },
      {
        onSuccess: (given) =>
          showToast({
            text: words[outcome],
            action: { label: words.takeBack, run: () => takeBack(given.id) },
          }),
        onError: showFailure,
      },
    );
  };
  return { answer, takeBack, isBusy };
}

interface FocusPosition {
  readonly panel: Element;
  readonly list: Element;
  readonly at: number;
}

const buttonsOf = (list: Element) => [...list.querySelectorAll<HTMLElement>('button')];

/** Of the button that was pressed; undefined if it is elsewhere, in a toast. */
function focusPosition(): FocusPosition | undefined {
  const { activeElement: pressed } = document;
  const [list, panel] = [pressed?.closest('.suggestions'), pressed?.closest('.learning')];
  return list && panel ? { panel, list, at: buttonsOf(list).indexOf(pressed as HTMLElement) } : undefined;
}

function restoreFocus({ panel, list, at }: FocusPosition): void {
  // Somebody has gone on meanwhile.
  if (document.activeElement !== document.body && !list.contains(document.activeElement)) return;
  // The whole list goes where nothing that was decided is on a list any more.
  const buttons = list.isConnected ? buttonsOf(list) : [];
  const around = list.isConnected
    ? list.parentElement?.querySelector<HTMLElement>(':scope > summary')
    : undefined;
  const heading = panel.querySelector<HTMLElement>('h2');
  (buttons[Math.min(at, buttons.length - 1)] ?? around ?? heading)?.focus();
}

type Answering = ReturnType<typeof useAnswers>;

interface SuggestionsProps {
  readonly suggestions: readonly Suggestion[];
  readonly answering: Answering;
}

export function Suggestions({ suggestions, answering }: SuggestionsProps) {
  return (
    <>
      <h3>{words.suggestions}</h3>
      <p className="pale">{suggestions.length === 0 ? words.noSuggestions : words.suggestionsHint}</p>
      <ul className="suggestions">
        {suggestions.map((suggestion) => (
          <SuggestionLine key={suggestion.id} suggestion={suggestion} answering={answering} />
        ))}
      </ul>
    </>
  );
}

interface SuggestionLineProps {
  readonly suggestion: Suggestion;
  readonly answering: Answering;
}

function SuggestionLine({ suggestion, answering }: SuggestionLineProps) {
  const { id, monitor_id: monitorId, ignored, watched, declared_in: declaredIn, settings } = suggestion;
  const [isOpen, setOpen] = useState(false);
  const missing = useMissing('manage');
  const buttons = [
    { outcome: 'accepted', label: words.accept, icon: <Check size={15} aria-hidden /> },
    { outcome: 'dismissed', label: words.dismiss, icon: <X size={15} aria-hidden /> },
  ] as const;
  return (
    <li>
      <div className="suggestion-line">
        <span>
          <Change change={suggestion} />
          <span className="pale"> {words.reason(ignored, watched)}</span>
        </span>
        <span className="suggestion-buttons">
          {buttons.map(({ outcome, label, icon }) => (
            <button
              key={outcome}
              type="button"
              disabled={missing !== undefined || answering.isBusy}
              title={missing}
              onClick={() => answering.answer(id, outcome)}
            >
              {icon} {label}
            </button>
          ))}
        </span>
      </div>
      {declaredIn !== null && (
        <p className="pale">
          {words.declared(
            <span className="mono">
              <Text of={declaredIn} />
            </span>,
          )}
        </p>
      )}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{words.effect}</summary>
        {isOpen && (
          <BackTest
            id={monitorId}
            change={{
              match_substring_variations: settings.match_substring_variations ?? false,
              nameserver_exclusions: (settings.nameserver_exclusions ?? []).map(plain),
              text_exclusions: (settings.text_exclusions ?? []).map(plain),
            }}
          />
        )}
      </details>
    </li>
  );
}

interface AnswersProps {
  readonly answers: readonly SuggestionAnswer[];
  readonly answering: Answering;
}

export function Answers({ answers, answering }: AnswersProps) {
  const missing = useMissing('manage');
  return (
    <details>
      <summary>{words.answers}</summary>
      <ul className="suggestions">
        {answers.map((answer) => (
          <li key={answer.id} className="suggestion-line">
            <span>
              <Change change={answer} />
              <span className="pale">
                {' '}
                {words.answered(
                  answer.outcome,
                  <Text of={answer.by} />,
                  <Ago at={answer.at} suffix={timeWords.ago} />,
                )}
                {answer.undone_by !== null && <>, {words.takenBackBy(<Text of={answer.undone_by} />)}</>}
              </span>
            </span>
            {answer.undone_by === null && (
              <button
                type="button"
                className="ghost"
                disabled={missing !== undefined || answering.isBusy}
                title={missing}
                onClick={() => answering.takeBack(answer.id)}
              >
                <Undo2 size={15} aria-hidden /> {words.takeBack}
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Change({ change: { kind, term, value } }: { readonly change: Suggestion | SuggestionAnswer }) {
  const mono = (text: typeof term) => (
    <span className="mono">
      <Text of={text} />
    </span>
  );
  return <>{words.change(kind, mono(term), mono(value))}</>;
}

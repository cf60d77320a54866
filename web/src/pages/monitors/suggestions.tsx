/** Changes of monitors that would have left out what was ignored, to be accepted or dismissed, and the answers to earlier ones. */
import { Check, Undo2, X } from 'lucide-react';
import { useState } from 'react';
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

/** Held by what stays on the page: an accepted suggestion leaves it. */
export function useAnswers() {
  const answering = useAnswerSuggestion();
  const takingBack = useTakeBack();
  const takeBack = (id: string) =>
    takingBack.mutate(id, {
      onSuccess: () => showToast({ text: words.takenBack }),
      onError: showFailure,
    });
  const answer = (id: string, outcome: 'accepted' | 'dismissed') =>
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
  return { answer, takeBack, isBusy: answering.isPending || takingBack.isPending };
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

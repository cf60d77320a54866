import { useId } from 'react';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly hint?: string | undefined;
  readonly type?: 'text' | 'url' | 'password';
  readonly isOptional?: boolean;
  readonly isFirst?: boolean;
  /** A text of several lines. */
  readonly rows?: number;
}

/** A field that programs read, not people: nothing in it is corrected or filled in. */
export function TextField({ label, value, set, hint, type = 'text', rows, ...more }: TextFieldProps) {
  const hintId = useId();
  const common = {
    value,
    required: more.isOptional !== true,
    spellCheck: false,
    autoComplete: type === 'password' ? 'new-password' : 'off',
    ...(hint === undefined ? {} : { 'aria-describedby': hintId }),
    ...(more.isFirst ? { 'data-first': '' } : {}),
  };
  return (
    <div className="text-field">
      <label className="field">
        {label}
        {rows === undefined ? (
          <input {...common} type={type} onChange={({ target }) => set(target.value)} />
        ) : (
          <textarea {...common} rows={rows} onChange={({ target }) => set(target.value)} />
        )}
      </label>
      {hint !== undefined && (
        <small id={hintId} className="pale">
          {hint}
        </small>
      )}
    </div>
  );
}

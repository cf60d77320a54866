import { keyFormWords as words } from '../../../words/account.ts';
import { dayOf, type Expiry, expiryChoices } from './key-presets.ts';

export function ExpiryFields({ expiry, set }: { expiry: Expiry; set: (expiry: Expiry) => void }) {
  return (
    <fieldset className="choices inline">
      <legend>{words.expiry}</legend>
      {expiryChoices.map((choice) => (
        <label key={choice} className="choice">
          <input
            type="radio"
            name="expiry"
            checked={expiry.choice === choice}
            onChange={() => set({ ...expiry, choice })}
          />
          {words.expiries[choice]}
        </label>
      ))}
      {expiry.choice === 'date' && (
        <label className="field">
          {words.date}
          <input
            type="date"
            required
            min={dayOf(new Date().toISOString())}
            value={expiry.date}
            onChange={({ target }) => set({ ...expiry, date: target.value })}
          />
        </label>
      )}
    </fieldset>
  );
}

import { Choice, Field } from '../../parts/fields.js';
import { TimeField } from '../../parts/time-field.js';
import type { Appointment } from './appointment-columns.js';
import { WORDS, type ChangeName } from './texts.js';

const { fields: TEXTS } = WORDS;
const CANCELLED_BY = ['business', 'customer', 'agent', 'system'];

/** What a change of an appointment asks for. */
export function ChangeFields({ name, of }: { readonly name: ChangeName; readonly of: Appointment }) {
  const isTimed = name === 'reschedule' || name === 'rebook';
  return (
    <>
      {isTimed && (
        <div class="row end">
          <TimeField label={TEXTS.starts} name="starts_at" value={of.starts_at} />
          <TimeField label={TEXTS.ends} name="ends_at" />
        </div>
      )}
      {name === 'reschedule' && (
        <div class="row end">
          <Choice label={TEXTS.mode} name="mode" options={TEXTS.modes} />
          <label class="check">
            <input type="checkbox" name="confirm" />
            {TEXTS.confirm}
          </label>
        </div>
      )}
      {name === 'cancel' && <Choice label={TEXTS.cancelledBy} name="cancelled_by" options={CANCELLED_BY} value="business" />}
      {name === 'fail' && (
        <>
          <Field label={TEXTS.code} name="code" required />
          <Field label={TEXTS.message} name="message" required />
        </>
      )}
      <Field label={TEXTS.reason} name="reason" />
    </>
  );
}

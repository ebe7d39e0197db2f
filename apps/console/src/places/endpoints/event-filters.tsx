import { Field } from '../../parts/fields.js';
import { WORDS } from './texts.js';

export const EVENT_TYPES = [
  'appointment.created',
  'appointment.confirmed',
  'appointment.rescheduled',
  'appointment.cancelled',
  'appointment.failed',
] as const;

const SUGGESTED: readonly string[] = ['appointment.*', ...EVENT_TYPES];

interface EventFiltersProps {
  readonly filters: readonly string[];
  readonly onChange: (filters: readonly string[]) => void;
}

/** Which events are sent: those suggested are picked, others written. */
export function EventFilters({ filters, onChange }: EventFiltersProps) {
  const picked = filters.filter((each) => SUGGESTED.includes(each));
  const others = filters.filter((each) => !SUGGESTED.includes(each));
  const pick = (filter: string, isPicked: boolean) =>
    onChange(isPicked ? [...filters, filter] : filters.filter((each) => each !== filter));
  return (
    <fieldset class="stack tight">
      <legend>{WORDS.form.filters}</legend>
      <div class="row">
        {SUGGESTED.map((filter) => (
          <label key={filter} class="check">
            <input
              type="checkbox"
              checked={filters.includes(filter)}
              onInput={({ currentTarget }) => pick(filter, currentTarget.checked)}
            />
            {filter}
          </label>
        ))}
      </div>
      <Field
        label={WORDS.form.others}
        name="others"
        value={others.join(' ')}
        hint={WORDS.form.filtersAbout}
        onInput={(text) => onChange([...picked, ...wordsOf(text)])}
      />
    </fieldset>
  );
}

/** The words between spaces, commas and ends of lines. */
export function wordsOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

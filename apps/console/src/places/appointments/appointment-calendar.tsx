import { api } from '../../api/api.js';
import { itemsOf } from '../../api/items-of.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { Loaded } from '../../parts/loaded.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { formatCount } from '../../parts/time.js';
import { placeOf, useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { useFresh } from '../../state/use-fresh.js';
import { useView } from '../../state/use-view.js';
import type { Appointment } from './appointment-columns.js';
import { calendarQuery, type AppointmentQuery } from './appointment-query.js';
import { addDays, daysOf, isToday, nameOf, type CalendarView } from './calendar-days.js';
import { WORDS } from './texts.js';

const MAX_SHOWN = 500;
const TEXTS = WORDS.calendar;

const dayName = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const hour = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const zone = hour.resolvedOptions().timeZone;

/** The appointments that start on a day or in a week of the viewer. */
export function AppointmentCalendar({ view }: { readonly view: CalendarView }) {
  const project_id = useProject();
  const { query, linkTo } = useView();
  const days = daysOf(view, query['from']);
  const [first = new Date()] = days;
  const filters = calendarQuery(query, first, addDays(first, days.length));
  const answer = useAnswer(() => askAll(project_id, filters), [project_id, JSON.stringify(filters)]);
  useFresh(['appointment'], answer.reload);
  const move = (by: number) => linkTo({ from: nameOf(addDays(first, by * days.length)) });
  return (
    <>
      <nav class="row" aria-label={WORDS.views}>
        <a href={move(-1)}>{TEXTS.previous}</a>
        <a href={linkTo({ from: undefined })}>{TEXTS.today}</a>
        <a href={move(1)}>{TEXTS.next}</a>
        <span class="small muted">{TEXTS.zone(zone)}</span>
      </nav>
      <Curl request={{ path: '/appointments', query: filters as Record<string, string> }} />
      <Loaded of={answer}>
        {({ appointments, isWhole }) => (
          <>
            {!isWhole && <p class="card warning">{TEXTS.cut(formatCount(appointments.length))}</p>}
            <div class={view === 'week' ? 'week' : 'stack'}>
              {days.map((day) => (
                <Day key={nameOf(day)} day={day} appointments={appointments} />
              ))}
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

function Day({ day, appointments }: { readonly day: Date; readonly appointments: readonly Appointment[] }) {
  const { linkTo } = useView();
  const name = nameOf(day);
  const mine = appointments.filter(({ starts_at: at }) => nameOf(new Date(at)) === name);
  return (
    <section class="stack">
      <h3 class={isToday(day) ? 'today' : undefined}>
        <a href={linkTo({ view: 'day', from: name })}>{dayName.format(day)}</a>
      </h3>
      {mine.length === 0 && <p class="muted">{TEXTS.free}</p>}
      <ul class="slots stack">
        {mine.map((appointment) => (
          <Slot key={appointment.id} of={appointment} />
        ))}
      </ul>
    </section>
  );
}

function Slot({
  of: { id, starts_at: from, ends_at: to, service, status, resource_id: resource },
}: {
  readonly of: Appointment;
}) {
  const project = useProject();
  return (
    <li class="card stack tight">
      <a href={placeOf(project, 'appointments', id)}>{hour.formatRange(new Date(from), new Date(to))}</a>
      <Foreign text={service} />
      {resource && <Foreign text={resource} />}
      <Status status={status} />
    </li>
  );
}

/** All of them by their start, up to a limit; the list of the API is by creation. */
async function askAll(project_id: string, filters: AppointmentQuery) {
  const { items, hasMore } = await itemsOf((page) => {
    const query = { ...filters, limit: 100, ...page };
    return answerOf(api.GET('/admin/v1/projects/{project_id}/appointments', { params: { path: { project_id }, query } }));
  }, MAX_SHOWN);
  return { appointments: items.toSorted((one, other) => one.starts_at.localeCompare(other.starts_at)), isWhole: !hasMore };
}

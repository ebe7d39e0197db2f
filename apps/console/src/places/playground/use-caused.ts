import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import type { ShownRequest } from '../../parts/curl.js';
import { useAnswer, type Answer } from '../../state/use-answer.js';
import { useFresh } from '../../state/use-fresh.js';

type Schemas = components['schemas'];

/** What came of talking under a thread id. */
export interface Caused {
  /** Null before the first message. */
  readonly conversation: Schemas['ConversationResource'] | null;
  readonly appointments: readonly Schemas['AppointmentResource'][];
  readonly events: readonly Schemas['EventResource'][];
  readonly deliveries: readonly Schemas['DeliveryOutlineResource'][];
}

const MAX_APPOINTMENTS = 10;
const MESSAGES = { order: 'desc', limit: 100 } as const;
const LIMIT = 100;
const LIVE = ['conversation', 'appointment', 'event', 'webhook_delivery'];

/** What the newest conversation of a thread has caused since it began, as it happens. */
export function useCaused(project_id: string, thread: string): Answer<Caused> {
  const answer = useAnswer(() => askCaused(project_id, thread), [project_id, thread]);
  const { conversation = null, appointments = [], events = [], deliveries = [] } = answer.data ?? {};
  const known = new Set([...appointments, ...events, ...deliveries].map(({ id }) => id));
  const isMine = (object: string, id: string) =>
    known.has(id) || (object === 'conversation' && (conversation === null || conversation.id === id));
  useFresh(LIVE, answer.reload, ({ object, id }) => isMine(object, id));
  return answer;
}

async function askCaused(project_id: string, thread: string): Promise<Caused> {
  const path = { project_id };
  const query = { external_id: thread, limit: 1 };
  const { data } = await answerOf(api.GET('/admin/v1/projects/{project_id}/conversations', { params: { path, query } }));
  const [conversation = null] = data;
  if (!conversation) return { conversation, appointments: [], events: [], deliveries: [] };
  const ids = await touchedBy(project_id, conversation.id);
  const each = await Promise.all(ids.map((id) => happenedTo(project_id, id, conversation.created_at)));
  return {
    conversation,
    appointments: each.map(({ appointment }) => appointment),
    events: newestFirst(each.flatMap(({ events }) => events)),
    deliveries: newestFirst(each.flatMap(({ deliveries }) => deliveries)),
  };
}

/** The appointments that the agent changed in a conversation, the last one first. */
async function touchedBy(project_id: string, id: string): Promise<readonly string[]> {
  const params = { path: { project_id, id }, query: MESSAGES };
  const { data } = await answerOf(api.GET('/admin/v1/projects/{project_id}/conversations/{id}/messages', { params }));
  const ids = data.flatMap(({ actions }) => actions.toReversed().flatMap(({ appointment_id: touched }) => touched ?? []));
  return [...new Set(ids)].slice(0, MAX_APPOINTMENTS);
}

async function happenedTo(project_id: string, id: string, since: string) {
  const path = { project_id };
  const params = { path, query: { object_id: id, limit: LIMIT, 'created_at[gte]': since } };
  const [appointment, events, deliveries] = await Promise.all([
    answerOf(api.GET('/admin/v1/projects/{project_id}/appointments/{id}', { params: { path: { ...path, id } } })),
    answerOf(api.GET('/admin/v1/projects/{project_id}/events', { params })),
    answerOf(api.GET('/admin/v1/projects/{project_id}/deliveries', { params })),
  ]);
  return { appointment, events: events.data, deliveries: deliveries.data };
}

/** What a client of the API asks for the same lists: which appointments the messages name, then each of these. */
export function requestsFor({
  conversation,
  appointments,
}: Caused): Record<'appointments' | 'events' | 'deliveries', ShownRequest[]> {
  if (!conversation) return { appointments: [], events: [], deliveries: [] };
  const messages = { path: `/conversations/${conversation.id}/messages`, query: { ...MESSAGES, limit: String(MESSAGES.limit) } };
  const about = (path: string) =>
    appointments.map(({ id }) => {
      return { path, query: { object_id: id, limit: String(LIMIT), 'created_at[gte]': conversation.created_at } };
    });
  return {
    appointments: [messages, ...appointments.map(({ id }) => ({ path: `/appointments/${id}` }))],
    events: about('/events'),
    deliveries: about('/deliveries'),
  };
}

function newestFirst<Item extends { readonly created_at: string }>(items: readonly Item[]): readonly Item[] {
  return items.toSorted((one, other) => other.created_at.localeCompare(one.created_at));
}

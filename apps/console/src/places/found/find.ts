import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { addressOfId } from '../../parts/id-link.js';
import { findId, newestProjects } from './find-id.js';
import type { WORDS } from './texts.js';

export interface Hit {
  readonly id: string;
  readonly object: keyof typeof WORDS.kinds;
  readonly text: string | null;
  readonly created_at: string;
}

interface Hits {
  readonly hits: readonly Hit[];
  readonly hasMore: boolean;
}

const LIMIT = 50;
const PHONE = /^\+[1-9]\d{4,14}$/;
const REQUEST_ID = /^req_/;

interface Found extends Hits {
  /** Of the only thing that was found, to be shown itself. */
  readonly only: string | null;
}

/**
 * What has the text as its id, in whichever project, else everything that the filters of one project's lists find for it.
 * @param chosen that project; empty for the newest
 */
export async function find(chosen: string, text: string): Promise<Found> {
  const project_id = chosen || ((await newestProjects())[0] ?? '');
  const address = await findId(project_id, text);
  if (address !== null) return { only: address, hits: [], hasMore: false };
  const found = await findInLists(project_id, text);
  const [hit, another] = found.hits;
  return { ...found, only: hit && !another ? addressOfId(project_id, hit.id) : null };
}

async function findInLists(project_id: string, text: string): Promise<Hits> {
  const path = { project_id };
  const byExternalId = { params: { path, query: { external_id: text, limit: LIMIT } } };
  const phone = phoneOf(text);
  const pages = await Promise.all([
    customers(project_id, { external_id: text }),
    ...(phone === null ? [] : [customers(project_id, { phone })]),
    ...(text.includes('@') ? [customers(project_id, { email: text })] : []),
    hitsOf(answerOf(api.GET('/admin/v1/projects/{project_id}/conversations', byExternalId)), ({ status }) => status),
    hitsOf(answerOf(api.GET('/admin/v1/projects/{project_id}/sessions', byExternalId)), ({ from }) => from),
    hitsOf(answerOf(api.GET('/admin/v1/projects/{project_id}/appointments', byExternalId)), ({ service }) => service),
    ...(REQUEST_ID.test(text) ? [eventsOf(project_id, text)] : []),
  ]);
  const hits = new Map(pages.flatMap((page) => page.hits).map((hit) => [hit.id, hit]));
  return { hits: [...hits.values()], hasMore: pages.some(({ hasMore }) => hasMore) };
}

function customers(
  project_id: string,
  filter: Readonly<Partial<Record<'phone' | 'email' | 'external_id', string>>>,
): Promise<Hits> {
  const query = { ...filter, include_deleted: true, limit: LIMIT };
  const answer = answerOf(api.GET('/admin/v1/projects/{project_id}/customers', { params: { path: { project_id }, query } }));
  return hitsOf(answer, ({ name, phone, email }) => name ?? phone ?? email);
}

function eventsOf(project_id: string, id: string): Promise<Hits> {
  const params = { path: { project_id, id }, query: { limit: LIMIT } };
  return hitsOf(answerOf(api.GET('/admin/v1/projects/{project_id}/requests/{id}/events', { params })), ({ type }) => type);
}

async function hitsOf<Item extends Omit<Hit, 'text'>>(
  answer: Promise<{ readonly data: readonly Item[]; readonly has_more: boolean }>,
  textOf: (item: Item) => string | null,
): Promise<Hits> {
  const { data, has_more: hasMore } = await answer;
  const hits = data.map((item) => ({ id: item.id, object: item.object, text: textOf(item), created_at: item.created_at }));
  return { hits, hasMore };
}

/** A phone number as it is stored; null for a text that is none. */
function phoneOf(text: string): string | null {
  const digits = text.replaceAll(/[\s()./-]/g, '').replace(/^00/, '+');
  return PHONE.test(digits) ? digits : null;
}

import { api } from './api.js';
import { answerOf } from './problem.js';

/** The very bytes that are posted of an event: what the API says of it, but for what it adds at the end. */
export async function postedBody(project_id: string, id: string): Promise<string> {
  const call = api.GET('/admin/v1/projects/{project_id}/events/{id}', { params: { path: { project_id, id } }, parseAs: 'text' });
  const text: string = await answerOf(call);
  return `${text.slice(0, text.lastIndexOf(',"delivery_summary":'))}}`;
}

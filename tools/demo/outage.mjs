import { hold, note, title } from './telling.mjs';

const hour = 3_600_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function eventually(look) {
  for (let tries = 0; tries < 600; tries++, await pause(100)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error('What was awaited did not happen within a minute.');
}

/** The receiver is down for a while: what failed is found, and what still matters is replayed. */
export class Outage {
  constructor(story) {
    this.story = story;
    this.api = story.api;
    this.endpointId = story.endpoint.id;
    this.failedOnes = `/v1/deliveries?endpoint_id=${this.endpointId}&status=failed`;
  }

  async tell() {
    await this.fail();
    await this.find();
    await this.tryReplay();
    await this.replay();
  }

  async fail() {
    title('The client’s backend is broken while the appointment is moved again, then cancelled');
    this.story.receiver.status = 404;
    await this.story.change('reschedule', { starts_at: new Date(this.story.tomorrow + 16 * hour).toISOString() });
    await this.refused();
    await this.story.change('cancel', { reason: 'customer_request', cancelled_by: 'customer' });
    this.lost = await this.refused();
  }

  async refused() {
    const request = await this.story.nextWebhook();
    note(`webhook: ${request.headers['webhook-id']}  ${request.event.type}, answered ${request.answered}`);
    return request;
  }

  async find() {
    title('What failed is found, with its cause');
    await eventually(async () => (await this.api.quietly('GET', this.failedOnes))?.data.length === 2);
    const { data } = await this.api.get(this.failedOnes, 'object', 'has_more');
    for (const { id, event_type, status, failure_reason } of data) note(`${id}  ${event_type}  ${status}: ${failure_reason}`);
    hold('both deliveries have failed for good', data.length === 2);
    const { endpoints } = await this.api.get(`/v1/events/${this.lost.event.id}/explain`, 'object', 'event_id');
    const { explanation } = endpoints.find(({ webhook_endpoint_id: id }) => id === this.endpointId);
    note(explanation);
    hold('the service tells why', explanation.includes('404'));
  }

  async tryReplay() {
    title('The backend is repaired: a dry run tells what a replay would send, and sends nothing');
    this.story.receiver.status = 200;
    const { matched, would_create: count } = await this.runTask({ dry_run: true });
    hold('of the two events only the newest still matters', matched === 2 && count === 1);
  }

  async replay() {
    title('It is replayed');
    // Signatures bear whole seconds.
    await pause(1_100);
    const { created } = await this.runTask({});
    hold('one delivery was made', created === 1);
    const { body, headers } = await this.story.expectWebhook('appointment.cancelled', 'cancelled', 'rescheduled');
    const { body: lostBody, headers: lostHeaders } = this.lost;
    hold('the same bytes under the same id', body === lostBody && headers['webhook-id'] === lostHeaders['webhook-id']);
    hold('signed anew', Number(headers['webhook-timestamp']) > Number(lostHeaders['webhook-timestamp']));
  }

  async runTask(options) {
    const request = { endpoint_id: this.endpointId, mode: 'latest', ...options };
    const { id } = await this.api.post('/v1/deliveries/retry', request, 'id', 'status', 'dry_run');
    const { status, result } = await eventually(async () => {
      const task = await this.api.quietly('GET', `/v1/tasks/${id}`);
      return task?.completed_at && task;
    });
    const { matched, created, would_create } = result ?? {};
    note(`GET /v1/tasks/${id}: ${JSON.stringify({ status, matched, ...(options.dry_run ? { would_create } : { created }) })}`);
    return { matched, created, would_create };
  }
}

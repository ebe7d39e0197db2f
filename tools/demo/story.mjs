import { Outage } from './outage.mjs';
import { hold, note, title } from './telling.mjs';
import { verify } from './signature.mjs';

const day = 86_400_000;
const hour = 3_600_000;
const appointment = ['id', 'status', 'version', 'service', 'starts_at'];

export class Story {
  constructor({ api, receiver, run }) {
    this.api = api;
    this.receiver = receiver;
    this.thread = `demo-${run}`;
    this.customer = { phone: `+49151${String(run).slice(-8)}`, name: 'Anna Schmidt' };
    this.tomorrow = Math.floor(Date.now() / day) * day + day;
  }

  async tell() {
    await this.register();
    await this.openThread();
    await this.takeCall();
    await this.bookOnCall();
    await this.confirmAndMove();
    await this.closeCall();
    await this.askInThread();
    await new Outage(this).tell();
    await this.readLog();
  }

  async register() {
    title('The client registers where it wants to hear of appointments');
    const body = { url: this.receiver.url, event_filters: ['appointment.*'], description: 'npm run demo' };
    this.endpoint = await this.api.post('/v1/webhook_endpoints', body, 'id', 'url', 'event_filters', 'secret_hint');
    hold('a signing secret is shown this once', this.endpoint.secret.startsWith('whsec_'));
  }

  async openThread() {
    title('A thread is opened, and the agent answers');
    const opened = { external_id: this.thread, customer: this.customer, metadata: { channel: 'demo' } };
    const conversation = await this.api.post('/v1/conversations', opened, 'id', 'status', 'external_id', 'customer_id');
    this.conversationId = conversation.id;
    const message = { external_conversation_id: this.thread, content: 'Hello! Do you have parking?', markdown: false };
    const { reply } = await this.api.post('/v1/messages', message, 'id', 'reply');
    hold('the reply came with the message', reply.role === 'assistant' && reply.content.includes('parking'));
  }

  async takeCall() {
    title('The customer calls: the voice agent opens a session');
    const call = {
      external_id: `call-${this.thread}`,
      direction: 'inbound',
      customer: this.customer,
      conversation_id: this.conversationId,
    };
    this.session = await this.api.post('/v1/sessions', call, 'id', 'status', 'customer_id');
    hold('the call is open', this.session.status === 'open');
  }

  async bookOnCall() {
    title('An appointment is booked on the call');
    const startsAt = new Date(this.tomorrow + 10 * hour).toISOString();
    const booking = { session_id: this.session.id, service: 'haircut', starts_at: startsAt, duration_minutes: 45 };
    this.booked = await this.api.post('/v1/appointments', booking, ...appointment);
    await this.expectWebhook('appointment.created', 'pending', null);
  }

  async confirmAndMove() {
    title('It is confirmed');
    await this.change('confirm', { expected_version: 1 });
    await this.expectWebhook('appointment.confirmed', 'confirmed', 'pending');
    title('It is moved');
    const startsAt = new Date(this.tomorrow + 15 * hour).toISOString();
    await this.change('reschedule', { starts_at: startsAt, reason: 'customer_request' });
    const { event } = await this.expectWebhook('appointment.rescheduled', 'rescheduled', 'confirmed');
    hold('the webhook tells the former time', event.previous_attributes.starts_at === this.booked.starts_at);
  }

  async closeCall() {
    title('The call ends');
    const outcome = { outcome: 'appointment_booked', end_reason: 'customer_hangup' };
    const closed = await this.api.post(
      `/v1/sessions/${this.session.id}/close`,
      outcome,
      'id',
      'status',
      'outcome',
      'appointment_ids',
    );
    hold('the session knows its appointment', closed.appointment_ids.includes(this.booked.id));
  }

  async askInThread() {
    title('Back in the thread, the agent knows of it');
    const message = { external_conversation_id: this.thread, content: 'When is my appointment?', markdown: false };
    const { reply } = await this.api.post('/v1/messages', message, 'reply');
    hold('it says what and when', /haircut/.test(reply.content) && /15:00/.test(reply.content));
  }

  async readLog() {
    title('Every event is in the log');
    const path = `/v1/events?object_id=${this.booked.id}`;
    const { data } = await this.api.get(path, 'object', 'has_more');
    for (const { id, type, delivery_summary: summary } of data) note(`${id}  ${type}  ${JSON.stringify(summary)}`);
    hold('five events for five changes', data.length === 5);
  }

  change(command, body) {
    return this.api.post(`/v1/appointments/${this.booked.id}/${command}`, body, ...appointment);
  }

  nextWebhook() {
    return this.receiver.next((event) => event.data.object.id === this.booked.id);
  }

  async expectWebhook(type, status, previousStatus) {
    const { headers, body, event, answered } = await this.nextWebhook();
    const { service, standard } = verify(this.endpoint.secret, headers, body);
    note(`webhook: ${headers['webhook-id']}  ${event.type}  delivery ${headers['service-delivery-id']}, answered ${answered}`);
    note(`Service-Signature: ${headers['service-signature']}`);
    hold('both signatures are genuine', service && standard);
    const isExpected = event.type === type && event.data.object.status === status;
    hold(`it says ${type}: ${previousStatus} → ${status}`, isExpected && event.previous_attributes.status === previousStatus);
    return { headers, body, event };
  }
}

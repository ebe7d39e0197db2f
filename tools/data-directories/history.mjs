import { setTimeout as sleep } from 'node:timers/promises';
import { Receiver } from './receiver.mjs';
import { ADMIN_PASSWORD, API_KEY } from './release.mjs';

const WITHIN_MS = 60_000;

const ANN = { phone: '+4930123456', name: 'Ann' };
const booking = (service, starts_at) => ({ service, starts_at, duration_minutes: 30, time_zone: 'Europe/Berlin', customer: ANN });

/** Fills what a release stores and records the exact answer of every keyed request and every read. */
export class History {
  requests = [];
  reads = [];
  #receiver = new Receiver();

  /** @param keepsAll whether the release keeps every answer under its key, and tells none again from the stream */
  constructor(release, { keepsAll }) {
    this.release = release;
    this.keepsAll = keepsAll;
  }

  async make() {
    await this.#receiver.start();
    try {
      await this.release.start();
      await this.#tellOfEvents();
      await this.#talk();
      await this.#takeCall();
      await this.#fillAnotherProject();
      await this.#untilDelivered();
      await this.release.holdWebhooks();
      await this.#request('later', 'POST', '/v1/appointments', booking('massage', '2037-02-03T11:00:00Z'));
      await this.#readEverything();
      await this.#request('last', 'POST', '/v1/conversations', { external_id: 'last' }, { token: this.other });
      await this.#list('/v1/conversations', this.other);
    } finally {
      this.#receiver.stop();
    }
    const posted = this.#receiver.requests;
    const secrets = { apiKey: API_KEY, adminPassword: ADMIN_PASSWORD, adminToken: this.adminToken };
    return { ...secrets, requests: this.requests, reads: this.reads, posted };
  }

  /** Endpoints: one accepts, one refuses for good, and one is busy, so its deliveries wait five hours. */
  async #tellOfEvents() {
    for (const [name, status] of Object.entries({ took: 200, refused: 400, busy: 503 })) {
      const endpoint = { url: this.#receiver.urlAnswering(status), event_filters: ['appointment.*'] };
      await this.#request(`endpoint-${name}`, 'POST', '/v1/webhook_endpoints', endpoint);
    }
  }

  async #talk() {
    const say = (key, message, options) => this.#request(key, 'POST', '/v1/messages', message, options);
    const chat = (key, thread, content) => say(key, { external_conversation_id: thread, content }, { isKept: this.keepsAll });
    await chat('small-talk', 'walk-in', 'Hello, do you have parking?');
    await chat('small-talk-again', 'walk-in', 'And is the door wide enough for a wheelchair?');
    const order = 'Book me a dental cleaning on 2037-01-05 at 10:00';
    await say('booking', { external_conversation_id: 'ann', content: order, customer: ANN });
    await say('handed-over', { external_conversation_id: 'upset', content: 'I want to speak to a human, please.' });
    const { body } = await chat('ended', 'done', 'Hello there!');
    await this.#request('end', 'POST', `/v1/conversations/${JSON.parse(body).conversation_id}/end`, {});
    await this.#request('taken', 'POST', '/v1/conversations', { external_id: 'ann' });
  }

  async #takeCall() {
    const call = { external_id: 'call-1', direction: 'inbound', from: '+4930123456', to: '+4930999999', customer: ANN };
    await this.#request('call', 'POST', '/v1/sessions', call);
    const { body } = await this.#request('appointment', 'POST', '/v1/appointments', booking('haircut', '2037-01-06T09:30:00Z'));
    await this.#request('confirmed', 'POST', `/v1/appointments/${JSON.parse(body).id}/confirm`, {});
  }

  async #fillAnotherProject() {
    const admin = async (path, body, token) => {
      const answer = await this.release.send('POST', `/admin/v1${path}`, { body: JSON.stringify(body), token });
      return JSON.parse(answer.body);
    };
    const { token } = await admin('/login', { password: ADMIN_PASSWORD });
    this.adminToken = token;
    const project = await admin('/projects', { name: 'other' }, token);
    this.other = (await admin(`/projects/${project.id}/api_keys`, { name: 'other' }, token)).secret;
    const appointment = booking('filling', '2037-01-07T08:00:00Z');
    await this.#request('appointment', 'POST', '/v1/appointments', appointment, { token: this.other });
  }

  async #untilDelivered() {
    const last = Date.now() + WITHIN_MS;
    while (Date.now() < last) {
      const states = await this.#deliveryStates();
      const isOver = ['succeeded', 'failed', 'retrying'].every((state) => states.includes(state));
      if (isOver && !states.some((state) => state === 'pending' || state === 'delivering')) return;
      await sleep(100);
    }
    throw new Error(`The deliveries were not attempted within ${WITHIN_MS / 1_000} s.`);
  }

  async #deliveryStates() {
    const states = [];
    for (const event of await this.#list('/v1/events')) {
      for (const { status } of await this.#list(`/v1/events/${event.id}/deliveries`)) states.push(status);
    }
    return states;
  }

  async #readEverything() {
    const singles = { conversations: 'messages', events: 'deliveries' };
    for (const list of ['conversations', 'customers', 'sessions', 'appointments', 'events', 'webhook_endpoints']) {
      await this.#read(`/v1/${list}`);
      for (const { id } of await this.#list(`/v1/${list}`)) {
        await this.#read(`/v1/${list}/${id}`);
        if (singles[list]) await this.#read(`/v1/${list}/${id}/${singles[list]}`);
      }
    }
  }

  async #list(path, token = API_KEY) {
    const { body } = await this.release.send('GET', path, { token });
    return JSON.parse(body).data;
  }

  async #read(path) {
    const { status, body } = await this.release.send('GET', path);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
    this.reads.push({ path, body });
  }

  /** `isKept`: the release stores the answer instead of folding it again. */
  async #request(key, method, path, content, { token = API_KEY, isKept = true } = {}) {
    const body = JSON.stringify(content);
    const answer = await this.release.send(method, path, { body, key, token });
    if (answer.status >= 500 || (answer.status >= 400 && answer.status !== 409)) {
      throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
    }
    this.requests.push({ key, isKept, token, method, path, body, answer });
    return answer;
  }
}

import type { RequestListener } from 'node:http';
import Stripe from 'stripe';
import { Webhook } from 'standardwebhooks';
import { Receiver, type Received } from '@testing/receiver';
import type { App } from './app.js';
import type { Answer, Client } from './client.js';
import { eventually } from './eventually.js';

/** Settings that allow webhooks to this machine, with short waits between attempts. */
export const LOCAL_HOOKS = {
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  RETRY_SCHEDULE: '0s,200ms,400ms',
  RETRY_JITTER: '0',
};

/** A status to answer with, or a listener that answers. */
type HookAnswer = number | RequestListener;

/** One URL of a client's backend. It gives its answers in order and repeats the last one. */
export class Hook {
  readonly requests: Received[] = [];

  constructor(
    readonly url: string,
    public answers: readonly HookAnswer[],
  ) {}

  /** The ids of the events in the requests. */
  get eventIds(): readonly string[] {
    return this.requests.map(({ headers }) => String(headers['webhook-id']));
  }

  /** Waits for at least `count` requests. */
  async received(count = 1, withinMs?: number): Promise<readonly Received[]> {
    return eventually(() => {
      if (this.requests.length < count) throw new Error(`Of ${count} requests ${this.requests.length} have come.`);
      return this.requests;
    }, withinMs);
  }

  next(): HookAnswer {
    const [first = 200, ...rest] = this.answers;
    if (rest.length > 0) this.answers = rest;
    return first;
  }
}

/** A client's backend on this machine. */
export class Backend {
  private readonly hooks = new Map<string, Hook>();
  private receiver!: Receiver;

  static async start(): Promise<Backend> {
    const backend = new Backend();
    backend.receiver = await Receiver.http((request, response) => backend.answer(request, response));
    return backend;
  }

  /** Adds a URL with these answers; a query may follow it. */
  hook(...answers: readonly HookAnswer[]): Hook {
    const path = `/hooks/${this.hooks.size + 1}`;
    const hook = new Hook(this.receiver.url(path), answers);
    this.hooks.set(path, hook);
    return hook;
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  private answer(request: Parameters<RequestListener>[0], response: Parameters<RequestListener>[1]): void {
    const hook = this.hooks.get(request.url?.split('?')[0] ?? '');
    const received = this.receiver.requests.at(-1);
    if (!hook || !received) return void response.writeHead(404).end();
    hook.requests.push(received);
    const answer = hook.next();
    if (typeof answer === 'function') return answer(request, response);
    response.writeHead(answer).end(answer === 204 ? undefined : 'answered');
  }
}

const admins = new WeakMap<App, Promise<string | null>>();

/** Creates a project and returns a client with a key of every scope. */
async function ownProject(app: App): Promise<Client> {
  const token = admins.get(app) ?? app.admin().then((admin) => admin.token);
  admins.set(app, token);
  const admin = app.as(await token);
  const project = await admin.post('/admin/v1/projects', { name: 'subscriber' });
  return app.as((await admin.post(`/admin/v1/projects/${project.body.id}/api_keys`, { name: 'key' })).body.secret);
}

/** Creates a project with one endpoint. */
export async function subscribe(
  app: App,
  url: string,
  more: object = {},
): Promise<{ client: Client; id: string; secret: string }> {
  const client = await ownProject(app);
  const { status, body } = await client.post('/v1/webhook_endpoints', { url, ...more });
  expect(status).toBe(201);
  return { client, id: body.id, secret: body.secret };
}

/** Verifies a request with both published libraries and returns the event. */
// oxlint-disable-next-line typescript/no-explicit-any
export function verified({ headers, body }: Received, secret: string): any {
  const event = Stripe.webhooks.constructEvent(body, headers['service-signature'] ?? '', secret);
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(event);
  return event;
}

/** The deliveries of this event, or of the project's newest, newest first. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function deliveriesOf(client: Client, eventId?: string): Promise<any[]> {
  const id = eventId ?? (await client.get('/v1/events?limit=1')).body.data[0].id;
  return (await client.get(`/v1/events/${id}/deliveries`)).body.data;
}

/** Waits until the newest delivery of this event, or of the project's newest, has this status. */
// oxlint-disable-next-line typescript/no-explicit-any
export function deliveryIn(state: string, client: Client, eventId?: string): Promise<any> {
  return eventually(async () => {
    const [delivery] = await deliveriesOf(client, eventId);
    expect(delivery?.status).toBe(state);
    return delivery;
  });
}

/** Waits until no delivery to the endpoint is in one of these statuses. */
export async function noneIn(statuses: readonly string[], client: Client, endpointId: string, withinMs?: number): Promise<void> {
  const path = `/v1/deliveries?endpoint_id=${endpointId}&status=${statuses.join()}&limit=1`;
  await eventually(async () => expect((await client.get(path)).body.data).toEqual([]), withinMs);
}

export function replay(client: Client, { event_id, id }: { event_id: string; id: string }): Promise<Answer> {
  return client.post(`/v1/events/${event_id}/deliveries/${id}/retry`);
}

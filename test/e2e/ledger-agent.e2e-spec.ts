import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { book, kindsOf } from './harness/ledger.js';

let app: App;
beforeAll(async () => void (app = await App.start()));
afterAll(() => app.dispose());

const DAY = 86_400_000;
/** Tomorrow at this hour, UTC. */
const tomorrowAt = (hour: number) => new Date((Math.floor(Date.now() / DAY) + 1) * DAY + hour * 3_600_000).toISOString();

let people = 0;
const somebody = () => ({ phone: `+49151${2_000_000 + ++people}` });
let threads = 0;

/** A chat with the agent; `say` returns its reply and its actions. */
class Chat {
  readonly thread = `chat-${++threads}`;

  constructor(
    private readonly client: Client,
    private readonly customer?: object,
    private readonly metadata?: object,
  ) {}

  // oxlint-disable-next-line typescript/no-explicit-any
  async say(content: string): Promise<{ content: string; actions: any[] }> {
    const { status, body } = await this.client.say(this.thread, content, { customer: this.customer, metadata: this.metadata });
    if (status !== 200) throw new Error(`The agent's answer was ${status}.`);
    return body.reply;
  }
}

const chat = (customer?: object, metadata?: object) => new Chat(app.api, customer, metadata);
const get = async (id: string) => (await app.api.get(`/v1/appointments/${id}`)).body;
const did = (operation: string, appointment_id: unknown = expect.stringMatching(/^apt_/)) => [
  expect.objectContaining({ type: 'appointment', operation, appointment_id, id: expect.stringMatching(/^act_/) }),
];

describe('the agent', () => {
  it('books a time in words in the zone of the conversation', async () => {
    const answer = await app.api.say(`zoned-${Date.now()}`, 'Book a massage on 2031-07-05 at 10:00', {
      time_zone: 'Europe/Berlin',
    });
    const id = answer.body.reply.actions[0].appointment_id as string;
    const { body } = await app.api.get(`/v1/appointments/${id}`);
    expect(body).toMatchObject({ starts_at: '2031-07-05T08:00:00.000Z', time_zone: 'Europe/Berlin' });
  });

  it('books, confirms, moves and cancels over many messages, with one event each', async () => {
    const talk = chat(somebody());
    expect((await talk.say('Book me in for a haircut')).actions).toEqual([]);
    expect((await talk.say('tomorrow')).actions).toEqual([]);
    const booked = await talk.say('10am');
    expect(booked.actions).toEqual(did('created'));
    const id = booked.actions[0].appointment_id;
    expect(await get(id)).toMatchObject({
      status: 'pending',
      service: 'haircut',
      starts_at: tomorrowAt(10),
      source: 'conversation',
      conversation_id: expect.stringMatching(/^conv_/),
      customer_id: expect.stringMatching(/^cust_/),
    });
    const { conversation_id } = await get(id);
    const listed = await app.api.get(`/v1/appointments?conversation_id=${conversation_id}`);
    expect(listed.body.data.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await talk.say('confirm it')).actions).toEqual(did('confirmed', id));
    expect((await talk.say('move it to 3pm')).actions).toEqual(did('rescheduled', id));
    expect(await get(id)).toMatchObject({ status: 'rescheduled', starts_at: tomorrowAt(15) });
    expect((await talk.say('when is my appointment?')).content).toMatch(/haircut.*15:00/s);
    expect((await talk.say('cancel it')).actions).toEqual(did('cancelled', id));
    expect(await get(id)).toMatchObject({ status: 'cancelled', cancellation: { cancelled_by: 'customer' } });
    expect(await kindsOf(app.api, id)).toEqual(['created', 'confirmed', 'rescheduled', 'cancelled']);
  });

  it('does one thing at a time, on what is named, once that is accepted', async () => {
    const talk = chat(somebody());
    const [facial] = (await talk.say('Book a facial tomorrow at 3pm')).actions;
    const [massage] = (await talk.say('Book a massage tomorrow at 11am')).actions;
    const { actions, content } = await talk.say('Cancel my massage and book a haircut for tomorrow at 3pm');
    expect([actions, content]).toEqual([[], expect.stringMatching(/one thing at a time.*Shall I cancel \*\*massage\*\*/)]);
    expect((await talk.say('yes')).actions).toEqual(did('cancelled', massage.appointment_id));
    expect(await get(facial.appointment_id)).toMatchObject({ status: 'pending', version: 1 });
  });

  it('changes nothing after a message that it has not read whole, names the word, and acts on the answer', async () => {
    const talk = chat(somebody());
    await talk.say('Book a massage tomorrow at 11am');
    const asked = await talk.say('cancel it. wait, no');
    expect([asked.actions, asked.content]).toEqual([
      [],
      expect.stringMatching(/“wait, no”.*Shall I cancel \*\*massage\*\*.*\?$/),
    ]);
    expect((await talk.say('Do you have parking?')).actions).toEqual([]);
    expect((await talk.say('yes, please cancel it')).actions).toEqual(did('cancelled'));
  });

  it('says which appointment stands there already where a move would double it', async () => {
    const talk = chat(somebody());
    for (const time of ['9am', '11am']) await talk.say(`Book a shave tomorrow at ${time}`);
    const { actions, content } = await talk.say('move my shave from 11am to 9am');
    expect([actions, content]).toEqual([[], expect.stringMatching(/already: \*\*shave\*\* on .*09:00/)]);
  });

  it('keeps what it has noted from clients', async () => {
    const talk = chat(somebody());
    const said = await talk.say('can you book a massage tomorrow at 11am?');
    const conversations = await app.api.get(`/v1/conversations?external_id=${talk.thread}`);
    const transcript = await app.api.get(`/v1/conversations/${conversations.body.data[0].id}/messages`);
    expect(`${JSON.stringify(said)}${conversations.text}${transcript.text}`).not.toMatch(/"note"|"verb"|scripted/);
  });

  it('is named as the one who did it', async () => {
    const { actions } = await chat(somebody()).say('Book a massage tomorrow at 11am');
    const { body } = await app.api.get(`/v1/events?object_id=${actions[0].appointment_id}`);
    expect(body.data.map((event: any) => event.change.actor.type)).toEqual(['agent']);
  });

  it('reads times in the zone of the conversation', async () => {
    const { actions } = await chat(somebody(), { time_zone: 'Asia/Kolkata' }).say('Book a massage on 2031-03-05T14:00');
    expect(await get(actions[0].appointment_id)).toMatchObject({
      starts_at: '2031-03-05T08:30:00.000Z',
      time_zone: 'Asia/Kolkata',
    });
  });

  it('says in the transcript what it did', async () => {
    const talk = chat(somebody());
    const { actions } = await talk.say('Book a massage tomorrow at 12:00');
    const conversations = await app.api.get(`/v1/conversations?external_id=${talk.thread}`);
    const { body } = await app.api.get(`/v1/conversations/${conversations.body.data[0].id}/messages`);
    expect(body.data.map((message: any) => message.actions ?? [])).toEqual([[], actions]);
  });

  it('books once for one key', async () => {
    const message = { external_conversation_id: 'keyed', content: 'Book a shave tomorrow at 9am', customer: somebody() };
    const send = () => app.api.post('/v1/messages', message, { 'idempotency-key': 'book-once' });
    const [first, second] = [await send(), await send()];
    expect(second.text).toBe(first.text);
    const { customer_id } = first.body.conversation;
    expect((await app.api.get(`/v1/appointments?customer_id=${customer_id}`)).body.data).toHaveLength(1);
  });

  it('names the request whose message asked for it', async () => {
    const message = { external_conversation_id: 'named', content: 'Book a shave tomorrow at 9am', customer: somebody() };
    const asked = await app.api.post('/v1/messages', message, { 'idempotency-key': 'book-by-name' });
    const { appointment_id } = asked.body.reply.actions[0];
    const { data } = (await app.api.get('/v1/events')).body;
    const event = data.find((one: { data: { object: { id: string } } }) => one.data.object.id === appointment_id);
    expect(event.request).toEqual({ id: asked.headers.get('request-id'), idempotency_key: 'book-by-name' });
  });

  it('does not book again what is booked', async () => {
    const customer = somebody();
    const first = await chat(customer).say('Book a shave tomorrow at 9am');
    await chat(customer).say('Book a shave tomorrow at 9am');
    const { customer_id } = await get(first.actions[0].appointment_id);
    expect((await app.api.get(`/v1/appointments?customer_id=${customer_id}`)).body.data).toHaveLength(1);
  });
});

describe('a customer who comes back', () => {
  it('is nobody who books for the first time', async () => {
    const { content } = await chat({ ...somebody(), name: 'Bert Maier' }).say('Book a shave tomorrow at 9am');
    expect(content).toMatch(/^Done: \*\*shave\*\*/);
  });

  it('is greeted as one, and told of the next appointment in another thread', async () => {
    const customer = { ...somebody(), name: 'Anna Schmidt' };
    const first = await chat(customer).say('Book a dental cleaning tomorrow at 10:00');
    const greeting = await chat(customer).say('Hello');
    expect(greeting.content).toMatch(/Welcome back, Anna Schmidt!.*dental cleaning.*10:00/s);
    const told = await chat(customer).say('When is my appointment?');
    expect(told.content).toMatch(/dental cleaning.*10:00/s);
    expect(await kindsOf(app.api, first.actions[0].appointment_id)).toEqual(['created']);
  });

  it('can move there what was booked on a call', async () => {
    const customer = somebody();
    const call = await app.api.post('/v1/sessions', { direction: 'inbound', customer });
    const { body } = await book(app.api, { session_id: call.body.id, service: 'checkup', starts_at: tomorrowAt(8) });
    expect((await chat(customer).say('Please move my checkup to 4pm')).actions).toEqual(did('rescheduled', body.id));
    expect(await get(body.id)).toMatchObject({ starts_at: tomorrowAt(16), session_id: call.body.id, source: 'voice_agent' });
  });
});

describe('what belongs to another', () => {
  it.each(['cancel my appointment', 'cancel it', 'confirm it', 'move it to 3pm', 'cancel the haircut tomorrow at 10am'])(
    'is not touched by "%s"',
    async (content) => {
      const theirs = await chat(somebody()).say('Book a haircut tomorrow at 10am');
      const id = theirs.actions[0].appointment_id;
      for (const talk of [chat(somebody()), chat()]) {
        const { actions, content: said } = await talk.say(content);
        expect(actions).toEqual([]);
        expect(said).not.toContain('10:00');
        expect((await talk.say(`${content}: ${id}`)).actions).toEqual([]);
        expect((await talk.say('When is my appointment?')).content).not.toContain('10:00');
      }
      expect(await get(id)).toMatchObject({ status: 'pending', version: 1 });
    },
  );

  it('is not what a stranger has booked in another thread', async () => {
    const one = chat();
    const { actions } = await one.say('Book a haircut tomorrow at 11am');
    expect((await chat().say('cancel my appointment')).actions).toEqual([]);
    expect((await one.say('cancel my appointment')).actions).toEqual(did('cancelled', actions[0].appointment_id));
  });

  it('is what a customer had who was deleted, in their own thread too', async () => {
    const talk = chat(somebody());
    const { actions } = await talk.say('Book a haircut tomorrow at 10am');
    const id = actions[0].appointment_id;
    const { customer_id } = await get(id);
    await book(app.api, { customer_id, service: 'checkup', starts_at: tomorrowAt(12) });
    await app.api.delete(`/v1/customers/${customer_id}`);
    for (const content of ['When is my appointment?', 'cancel my appointment', 'confirm the checkup']) {
      const reply = await talk.say(content);
      expect([reply.actions, reply.content]).toEqual([[], expect.not.stringMatching(/haircut|checkup/)]);
    }
    const anew = await talk.say('Book a shave tomorrow at 2pm');
    expect(anew.actions).toEqual(did('created'));
    expect(await get(anew.actions[0].appointment_id)).toMatchObject({ customer_id: null });
    expect(await get(id)).toMatchObject({ status: 'pending', version: 1 });
  });
});

describe('a machine whose own clocks are set ahead in the night', () => {
  let abroad: App;
  beforeAll(async () => void (abroad = await App.start({ TZ: 'America/New_York' })));
  afterAll(() => abroad.dispose());

  /** The second Sunday of next March. */
  const year = new Date().getUTCFullYear() + 1;
  const date = 8 + ((7 - new Date(Date.UTC(year, 2, 1)).getUTCDay()) % 7);
  const at = (hour: number) => new Date(Date.UTC(year, 2, date, hour)).toISOString();

  it('books at two for two hours on that day too', async () => {
    const talk = new Chat(abroad.api, somebody(), { time_zone: 'Europe/Berlin' });
    const { actions } = await talk.say(`Book a haircut at 2 on ${date} March ${year} for two hours`);
    expect(actions).toEqual(did('created'));
    const { starts_at: from, ends_at: to } = (await abroad.api.get(`/v1/appointments/${actions[0].appointment_id}`)).body;
    expect([from, to]).toEqual([at(13), at(15)]);
  });
});

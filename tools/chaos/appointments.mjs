const FIRST_SLOT = Date.UTC(2031, 0, 1);
const QUARTER = 900_000;

const LIVE = ['pending', 'confirmed', 'rescheduled'];

const COMMANDS = {
  confirm: { from: ['pending', 'rescheduled'], body: () => ({}), emits: () => ['confirmed'] },
  reschedule: {
    from: LIVE,
    body: (chance, startsAt) => ({
      starts_at: startsAt,
      mode: chance.pick(['in_place', 'in_place', 'cancel_and_recreate']),
      confirm: chance.happens(0.3),
    }),
    emits: ({ mode, confirm }) => [
      ...(mode === 'in_place' ? ['rescheduled'] : ['cancelled', 'created']),
      ...(confirm ? ['confirmed'] : []),
    ],
  },
  cancel: { from: LIVE, body: () => ({ cancelled_by: 'customer', reason: 'plans changed' }), emits: () => ['cancelled'] },
  fail: { from: LIVE, body: () => ({ code: 'calendar_unavailable', message: 'no answer' }), emits: () => ['failed'] },
  rebook: { from: ['cancelled', 'failed'], body: (_, startsAt) => ({ starts_at: startsAt }), emits: () => ['created'] },
};

const BOOKED_AS = { pending: ['created'], confirmed: ['created', 'confirmed'], failed: ['failed'] };

export async function call({ client, chance, number, isOver, breathe }) {
  let slots = 0;
  // A time per call, so that no booking is deduplicated.
  const nextSlot = () => new Date(FIRST_SLOT + (number * 16 + slots++) * QUARTER).toISOString();
  let appointment = await book(client, chance, number, nextSlot());
  for (let left = chance.whole(1, 6); left > 0 && !isOver(); left--) {
    await breathe();
    appointment = chance.happens(0.1)
      ? await amend(client, appointment, left)
      : await command(client, chance, appointment, nextSlot());
  }
}

async function book(client, chance, number, startsAt) {
  const status = chance.pick(['pending', 'pending', 'confirmed', 'failed']);
  const failure = { code: 'calendar_unavailable', message: 'no answer' };
  const body = {
    service: `service ${client.name}`,
    resource_id: `chair ${number}`,
    starts_at: startsAt,
    time_zone: 'Europe/Berlin',
    status,
    metadata: { number, by: client.name },
    ...(status === 'failed' && { failure }),
  };
  return changed(client, '/v1/appointments', body, BOOKED_AS[status], 'POST');
}

function command(client, chance, { id, status }, startsAt) {
  const open = Object.keys(COMMANDS).filter((name) => COMMANDS[name].from.includes(status));
  const name = chance.pick(open);
  const body = COMMANDS[name].body(chance, startsAt);
  return changed(client, `/v1/appointments/${id}/${name}`, body, COMMANDS[name].emits(body), 'POST');
}

function amend(client, { id }, number) {
  return changed(client, `/v1/appointments/${id}`, { notes: `note ${number} of ${client.name}` }, [], 'PATCH');
}

async function changed(client, path, body, emits, method) {
  const answer = await client.change(method, path, body, { kind: 'appointment', emits });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

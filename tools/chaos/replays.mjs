const NEWEST = 15;

export async function replay({ client, chance }) {
  const { data: events } = await client.lookUp(`/v1/events?limit=${NEWEST}`);
  if (events.length === 0) return;
  const { id: event } = chance.pick(events);
  const { data: deliveries } = await client.lookUp(`/v1/events/${event}/deliveries?limit=100`);
  if (deliveries.length === 0) return;
  const original = chance.pick(deliveries);
  const path = `/v1/events/${event}/deliveries/${original.id}/retry`;
  await client.change('POST', path, undefined, { kind: 'replay', original, keyless: chance.happens(0.4) });
}

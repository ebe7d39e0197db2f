export async function phoneCall({ client, chance, number, isOver, breathe }) {
  const customer = { phone: `+4930${1_000_000 + chance.whole(0, 400)}` };
  const body = { direction: 'inbound', external_id: `${client.name}-call-${number}`, customer, metadata: { number } };
  const { body: session } = await client.change('POST', '/v1/sessions', body, { kind: 'session' });
  for (let left = chance.whole(1, 8); left > 0 && !isOver(); left--) {
    const heard = say(client, session.id, 'user');
    if (chance.happens(0.7)) await heard;
    await Promise.all([heard, say(client, session.id, 'assistant')]);
    await breathe();
  }
  if (chance.happens(0.8)) await hangUp(client, session.id);
}

function say(client, session, role) {
  const content = `What the ${role} says (${client.name} ${client.keys + 1})`;
  return client.change('POST', `/v1/sessions/${session}/turns`, { role, content }, { kind: 'turn', session, content });
}

function hangUp(client, session) {
  const body = { outcome: 'no_action', end_reason: 'customer_hangup', summary: `call of ${client.name}` };
  return client.change('POST', `/v1/sessions/${session}/close`, body, { kind: 'session' });
}

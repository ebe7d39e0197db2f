import { booked } from '@testing/appointment-events';
import { opened, posted, replied } from '@testing/conversation-events';
import { frozen, result } from '@testing/delivery-events';
import { maskedData, type Mask } from './masked-data.js';

const mask: Mask = (text) => `<${text.length}>`;
const kim = {
  phone: '+4915112345678',
  email: 'kim@secret.example',
  name: 'Kim Secret',
  externalId: 'secret-7',
  metadata: '{"secret":1}',
};

describe('the data of an event', () => {
  it.each([
    ['customer', { customerId: 'cust_1', projectId: 'prj_1', ...kim }],
    ['customer', { changes: { name: 'Kim Secret' } }],
    ['email', { holder: 'cust_1', creation: { projectId: 'prj_1', details: kim } }],
    ['phone', { holder: 'cust_1', creation: { projectId: 'prj_1', details: kim } }],
    ['thread', { holder: 'conv_1', creation: { customer: kim } }],
    ['session', { sessionId: 'call_1', from: '+49secret', to: 'sip:secret', metadata: '{"secret":1}' }],
    ['session', { turnId: 'turn_1', content: 'my secret' }],
    ['session', { summary: 'a secret' }],
    ['appointment', { ...booked, notes: 'a secret', metadata: '{"secret":1}' }],
    ['appointment', { changes: { notes: 'a secret' } }],
    ['booking', { creation: { details: { notes: 'a secret', metadata: '{"secret":1}' } } }],
    ['conversation', { ...opened, metadata: '{"secret":1}' }],
    ['conversation', { ...posted('msg_1', 1), content: 'my secret' }],
    ['conversation', { ...replied('msg_1', 1), content: 'a secret', actions: [{ type: 'handoff', summary: 'a secret' }] }],
    ['conversation', { ...replied('msg_1', 1), note: { writer: 'openai', text: 'a secret' } }],
    ['deliveries', { ...frozen, body: '{"notes":"a secret"}' }],
    ['deliveries', { deliveryId: 'whd_1', result: { ...result(1, 500), body: 'a secret' } }],
    ['endpoints', { endpointId: 'we_1', changes: { metadata: '{"secret":1}' } }],
  ])('of %s shows nothing personal when it is masked', (category, data) => {
    expect(JSON.stringify(maskedData(data, category, mask))).not.toMatch(/secret|kim|\+49/i);
  });

  it('shows the rest as it is', () => {
    const data = { projectId: 'prj_1', name: 'salon', changes: { externalId: 'a-1', notes: null }, list: [1, 'b', null, true] };
    expect(maskedData(data, 'project', mask)).toEqual(data);
  });

  it('shows that two values are equal, whatever members they are', () => {
    const called = maskedData({ from: kim.phone }, 'session', mask) as { from: string };
    const known = maskedData(kim, 'customer', mask) as typeof kim;
    expect(called.from).toBe(known.phone);
  });
});

import { nearestName } from './nearest-name.js';

const APPOINTMENT = ['customer_id', 'service', 'resource_id', 'starts_at', 'ends_at', 'time_zone', 'status', 'notes'];
const PAGE = ['limit', 'starting_after', 'ending_before', 'order', 'status', 'external_id', 'customer_id', 'created_at'];

describe('the name that was meant', () => {
  it.each([
    ['external_conversation_id', PAGE, 'external_id'],
    ['limt', PAGE, 'limit'],
    ['created', PAGE, 'created_at'],
    ['startsAt', APPOINTMENT, 'starts_at'],
    ['start', APPOINTMENT, 'starts_at'],
    ['timezone', APPOINTMENT, 'time_zone'],
    ['Service', APPOINTMENT, 'service'],
    ['resource-id', APPOINTMENT, 'resource_id'],
    ['events', ['url', 'event_filters', 'description', 'headers', 'status'], 'event_filters'],
    ['mail', ['phone', 'email', 'name'], 'email'],
  ])('by %s is found', (name, known, meant) => expect(nearestName(name, known)).toBe(meant));

  it.each(['enabled', 'x', '', '🙂🙂🙂'])('by %j is not guessed where none is like it', (name) =>
    expect(nearestName(name, ['url', 'event_filters', 'description', 'headers', 'status'])).toBeNull(),
  );
});

/** Where ids of the kind go that stand for nothing else: anybody who knows the number knows the id. */
const idOf = (prefix, number) => `${prefix}_${String(number).padStart(26, '0')}`;

const ENDPOINTS = 50;
/** The last endpoint wants little: of so many deliveries it gets one. */
const ONE_IN = 5_003;
const PER_EVENT = 4;
const EVENTS_PER_APPOINTMENT = 4;
const TYPES = { created: 450, confirmed: 300, rescheduled: 150, cancelled: 90, failed: 10 };

/** In each thousand, as in life. `waits` of one that is never tried is until its endpoint is resumed. */
const OUTCOMES = [
  { count: 970, ends: 'DeliverySucceeded', status: 200 },
  { count: 3, ends: 'DeliveryFailed', status: 404, reason: 'permanent_rejection' },
  { count: 3, ends: 'DeliveryFailed', status: 500, reason: 'attempts_exhausted' },
  { count: 3, ends: 'DeliveryFailed', errorCode: 'timeout', reason: 'attempts_exhausted' },
  { count: 1, ends: 'DeliveryFailed', errorCode: 'tls_error', reason: 'attempts_exhausted' },
  { count: 10, ends: 'DeliveryCancelled', reason: 'endpoint_disabled' },
  { count: 5, ends: 'DeliveryRetryScheduled', status: 503 },
  { count: 4, ends: 'DeliveryRetryScheduled', errorCode: 'timeout' },
  { count: 1 },
];

/** Each of so many, side by side. */
const spread = (counts) => counts.flatMap(([value, count]) => Array.from({ length: count }, () => value));
const outcomes = spread(OUTCOMES.map((outcome) => [outcome, outcome.count]));
const types = spread(Object.entries(TYPES));

/** What happened to the n-th delivery. Numbers without a common divisor mix what they choose. */
export function deliveryOf(number) {
  const event = Math.floor(number / PER_EVENT);
  return {
    deliveryId: idOf('whd', number),
    eventId: idOf('evt', event),
    appointmentId: idOf('apt', Math.floor(event / EVENTS_PER_APPOINTMENT)),
    endpointId: idOf('we', number % ONE_IN === 0 ? ENDPOINTS - 1 : number % (ENDPOINTS - 1)),
    eventType: `appointment.${types[(event * 13) % 1_000]}`,
    trigger: number % 1_009 === 0 ? 'bulk_replay' : 'event',
    outcome: outcomes[(number * 7_919) % 1_000],
  };
}

/** Of each filter a value that most deliveries meet, and one that few do. */
const FILTERS = {
  status: ['succeeded', 'failed,pending'],
  endpoint_id: [idOf('we', 7), idOf('we', ENDPOINTS - 1)],
  event_id: [idOf('evt', 12_345)],
  event_type: ['appointment.*', 'appointment.failed'],
  object_id: [idOf('apt', 3_086)],
  trigger: ['event', 'bulk_replay'],
  response_status_class: ['2xx', '5xx'],
  error_code: ['timeout', 'tls_error'],
};

const textsOf = (name, values) => values.map((value) => `${name}=${value}`);
const INDEXED = ['status', 'endpoint_id'];

/** Each filter, and the two that are one index. */
function alone() {
  const [statuses, endpoints] = INDEXED.map((name) => textsOf(name, FILTERS[name]));
  const both = endpoints.flatMap((endpoint) => statuses.map((status) => `${endpoint}&${status}`));
  return [...Object.entries(FILTERS).flatMap(([name, values]) => textsOf(name, values)), ...both];
}

/** Any other two, of which most deliveries meet one and few the other: of those that are looked at, few are found. */
function pairs() {
  const all = Object.entries(FILTERS);
  const two = all.flatMap(([name, values], index) => all.slice(index + 1).map((other) => [[name, values], other]));
  const others = two.filter(([[one], [other]]) => !(INDEXED.includes(one) && INDEXED.includes(other)));
  const texts = others.flatMap(([one, other]) => {
    const [mine, its] = [textsOf(...one), textsOf(...other)];
    return [`${mine.at(0)}&${its.at(-1)}`, `${mine.at(-1)}&${its.at(0)}`];
  });
  return [...new Set(texts)];
}

export const QUERIES = { alone: alone(), pairs: pairs() };

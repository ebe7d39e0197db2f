import { App } from './harness/app.js';
import { undescribed } from './harness/undescribed.js';

let app: App;
// oxlint-disable-next-line typescript/no-explicit-any
let document: any;
beforeAll(async () => {
  app = await App.start();
  document = (await app.as(null).get('/openapi.json')).body;
});
afterAll(() => app.dispose());

describe('every member, parameter, header and answer of the OpenAPI document', () => {
  it('has a description that says more than its name, names each of its words, and says when it is null', () => {
    expect(undescribed(document)).toEqual([]);
  });

  it.each([
    ['a member', 'components schemas CustomerResource properties name'],
    ['a member of a body', 'components schemas BookAppointmentDto properties ends_at'],
    ['a member that is an object', 'components schemas SentMessageResource properties reply'],
    ['a page', 'components schemas EventListResource properties data'],
    ['a schema', 'components schemas AppointmentResource'],
    ['a response header', 'components headers RateLimit'],
    ['an answer', 'paths /v1/messages post responses 200'],
    ['a refusal', 'paths /v1/messages post responses 504'],
    ['a body', 'paths /v1/messages post requestBody'],
    ['a parameter', 'paths /v1/events get parameters 0'],
    ['an id of a path', 'paths /v1/events/{id} get parameters 0'],
    ['a header of a webhook', 'webhooks event post parameters 0'],
    ['an answer to a webhook', 'webhooks event post responses 2XX'],
    ['a tag', 'tags 0'],
    ['the way to sign in', 'components securitySchemes api_key'],
  ])('is missed where %s has none', (_, path) => {
    const changed = structuredClone(document);
    const node = path.split(' ').reduce((one, name) => one[name], changed);
    expect(node.description).toBeTruthy();
    node.description = 'The thing.';
    expect(undescribed(changed)).toEqual([expect.stringMatching(/ has no description$/)]);
  });

  it('is missed where a word or null is not explained', () => {
    const changed = structuredClone(document);
    const { properties } = changed.components.schemas.DeliveryResource;
    properties.status.description = properties.status.description.replace('`retrying`: ', '');
    properties.next_attempt_at.description = 'When the next attempt is due.';
    expect(undescribed(changed)).toEqual([
      'schemas/DeliveryResource/status does not say what retrying means',
      'schemas/DeliveryResource/next_attempt_at does not say when it is null',
    ]);
  });

  it('tells of a refusal what each of its codes means', () => {
    const { responses } = document.paths['/v1/conversations'].post;
    expect(responses[409].description).toContain('- `external_id_taken`: A live conversation already has this external_id');
  });

  it('tells how curl sends a filter with brackets', () => {
    expect(document.info.description).toContain('`curl` needs `-g`');
  });

  it('tells of a key what it may do when it was made without scopes', () => {
    expect(document.components.securitySchemes.api_key.description).toContain('without naming scopes has all of them');
  });
});

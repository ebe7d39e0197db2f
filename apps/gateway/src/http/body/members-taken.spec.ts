import { UpdateEndpointDto } from '../../v1/webhook-endpoints.dto.js';
import { NestedField, TextField } from '../fields/fields.js';
import { canonicalJson } from './canonical-json.js';
import { membersTaken } from './members-taken.js';

const about = { max: 10, description: 'A text.' };

class Inner {
  @TextField(about)
  phone?: string | null;

  @TextField(about)
  name?: string | null;
}

class Body {
  @TextField(about)
  content?: string | null;

  @TextField(about)
  notes?: string | null;

  @NestedField(() => Inner, { description: 'An object.' })
  customer?: Inner | null;
}

const POST = membersTaken(Body, 'absent');
const PATCH = membersTaken(Body, 'may-empty');
const said = (body: unknown, taken = POST) => canonicalJson(JSON.stringify(body), taken);

describe('a body says', () => {
  it('what it said before where it has no other members than its class, and none of them null', () => {
    const body = '{"customer":{"phone":"+49"},"content":"x"}';
    expect(canonicalJson(body, POST)).toBe(canonicalJson(body));
  });

  it('nothing by members that are ignored, in nested bodies too, whatever their names', () => {
    const body = { content: 'x', customer: { phone: '+49' } };
    const more = { ...body, more: [{ content: null }], constructor: { a: 1 }, customer: { ...body.customer, content: 'y' } };
    expect(said(more)).toBe(said(body));
    expect(canonicalJson('{"__proto__":{"a":1},"content":"x"}', POST)).toBe('{"content":"x"}');
  });

  it('nothing by null, which means absent', () => {
    expect(said({ content: null, notes: null, customer: { phone: null } })).toBe('{"customer":{}}');
    expect(canonicalJson('{"notes":"a","notes":null}', POST)).toBe('{}');
  });

  it('something by null in a change, where that empties the member', () => {
    expect(said({ content: null, notes: null }, PATCH)).toBe('{"notes":null}');
    const endpoint = membersTaken(UpdateEndpointDto, 'may-empty');
    expect(said({ rate_limit_per_second: null, url: null }, endpoint)).toBe('{"rate_limit_per_second":null}');
    expect(said({ content: null }, membersTaken(Body, 'count'))).toBe('{"content":null}');
  });

  it('nothing by null in an object within a change: that describes somebody, and empties nothing', () => {
    expect(said({ customer: { phone: '+49', name: null } }, PATCH)).toBe('{"customer":{"phone":"+49"}}');
    expect(said({ customer: { name: null } }, membersTaken(Body, 'count'))).toBe('{"customer":{"name":null}}');
  });

  it('nothing where nothing of it is read', () => {
    expect(said({ content: 'x' }, membersTaken(null, 'absent'))).toBe('{}');
  });
});

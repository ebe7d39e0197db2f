import { echoOf } from './echo.js';

const call = (more: object = {}) => ({ id: 'own', name: 'find_appointments', args: {}, ...more });
const told = (more: object, content = '') => echoOf({ content, calls: [call(more)] });

describe('a model is told of its own calls', () => {
  it.each([
    ['find_appointments', 'find_appointments'],
    ['multi_tool_use.parallel', 'multi_tool_use_parallel'],
    ['find appointments "now"', 'find_appointments__now_'],
    ['x'.repeat(100), 'x'.repeat(64)],
    ['', 'unnamed'],
  ])('under a name that a tool can have: %s', (name, expected) =>
    expect(told({ name })).toMatchObject({ tool_calls: [{ function: { name: expected } }] }),
  );

  it('with their arguments, unless those were no object', () => {
    expect(told({ args: { a: 1 } })).toMatchObject({ tool_calls: [{ function: { arguments: '{"a":1}' } }] });
    expect(told({ args: null })).toMatchObject({ tool_calls: [{ function: { arguments: '{}' } }] });
  });

  it('with its words, unless those were white space', () => {
    expect(told({}, 'One moment.').content).toBe('One moment.');
    expect(told({}, '\n\n').content).toBeNull();
  });

  it('with what its server wants back beside them, and nothing where it gave nothing', () => {
    const extra = { google: { thought_signature: 'c2lnbmVk' } };
    expect(told({ extra })).toMatchObject({ tool_calls: [{ id: 'own', extra_content: extra }] });
    const details = [{ type: 'reasoning.encrypted', data: 'c2VhbGVk' }];
    expect(echoOf({ content: '', calls: [call()], details })).toMatchObject({ reasoning_details: details });
    expect(JSON.stringify(told({}))).not.toMatch('extra_content|reasoning_details');
  });
});

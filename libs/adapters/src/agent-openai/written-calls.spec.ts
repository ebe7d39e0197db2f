import { callsInText } from './calls-in-text.js';

const TOOLS = ['find_appointments', 'book_appointment', 'cancel_appointment'];
const ARGS = { service: 'cut', starts_at: '2027-03-02T09:00:00Z' };
const JSON_ARGS = JSON.stringify(ARGS);
const CALL = JSON.stringify({ name: 'book_appointment', arguments: ARGS });
const NAMED_ARGS = `service="cut", starts_at="${ARGS.starts_at}"`;
const FENCE = '```';
const read = (text: string) => callsInText(text, TOOLS);

describe('a text that is a call, as models write it without a parser', () => {
  it.each([
    ['behind a word for calls', `functools[${CALL}]`],
    ['behind a label in quotes', `"tool_calls": [${CALL}]`],
    ['behind labels', `Tool: book_appointment\nArguments: ${JSON_ARGS}`],
    ['behind labels between ornaments', `✿FUNCTION✿: book_appointment\n✿ARGS✿: ${JSON_ARGS}\n✿RESULT✿`],
    ['behind labels in bold', `**Action:** book_appointment\n**Action Input:** ${JSON_ARGS}`],
    ['in quotes behind labels', `Action: \`book_appointment\`\nAction Input: \`${JSON_ARGS}\``],
    [
      'behind a plan',
      `Plan: I book it.\nAction: ${FENCE}json\n[{"tool_name":"book_appointment","parameters":${JSON_ARGS}}]${FENCE}`,
    ],
    ['behind a channel', `assistantcommentary to=functions.book_appointment json${JSON_ARGS}`],
    ['in a tag that does not end before its arguments', `<function=book_appointment${JSON_ARGS}</function>`],
    ['in a tag with a comma', `<function=book_appointment,${JSON_ARGS}</function>`],
    ['in a tag with brackets', `<function=book_appointment(${JSON_ARGS})</function>`],
    ['in a tag that ends after its name', `<function(book_appointment)${JSON_ARGS}</function>`],
    ['with its name in square brackets', `[book_appointment]\n${JSON_ARGS}\n[END_TOOL_REQUEST]`],
    ['with a bracket too many', `<tool_call>\n${CALL}}\n</tool_call>`],
    ['before a token in square brackets', `<tool_call>${CALL}</tool_call>[|endofturn|]`],
    [
      'in a tag for each argument that is not closed',
      `<tool_call>\n<function=book_appointment>\n<parameter=service>\ncut\n<parameter=starts_at>\n${ARGS.starts_at}\n</function>\n</tool_call>`,
    ],
    [
      'with keys and values in tags of a namespace',
      `<my_tool_call>book_appointment\n<my_arg_key>service</my_arg_key>\n<my_arg_value>cut</my_arg_value>\n<my_arg_key>starts_at</my_arg_key>\n<my_arg_value>${ARGS.starts_at}</my_arg_value>\n</my_tool_call>`,
    ],
    [
      'with keys and values in numbered tags',
      `<tool_call:1a>book_appointment<arg_key:1a>service</arg_key:1a><arg_value:1a>cut</arg_value:1a><arg_key:1a>starts_at</arg_key:1a><arg_value:1a>${ARGS.starts_at}</arg_value:1a></tool_call:1a>`,
    ],
    [
      'with an attribute for each part',
      `<tools><call tool="book_appointment" index="1"><argument key="service" type="string">cut</argument><argument key="starts_at" type="string">${ARGS.starts_at}</argument></call></tools>`,
    ],
    ['with its arguments under another name', JSON.stringify({ tool_name: 'book_appointment', tool_arguments: ARGS })],
    ['with its arguments beside its name', JSON.stringify({ id: '1', name: 'book_appointment', ...ARGS })],
    ['as a function that is assigned', `result = book_appointment(${NAMED_ARGS})\nprint(result)`],
    ['as a function that is awaited', `await book_appointment(${NAMED_ARGS})`],
    ['as a function with colons', `book_appointment(service: "cut", starts_at: "${ARGS.starts_at}")`],
    ['with a prefix to its name and a number behind it', CALL.replace('book_appointment', 'mcp__app__book_appointment_0')],
  ])('is run: %s', (_, text) => {
    expect(read(text)).toEqual({ content: '', calls: [{ id: '', name: 'book_appointment', args: ARGS }], isBroken: false });
  });

  it('may have lists and objects as arguments of a function', () => {
    expect(read('book_appointment(tags=["a", "b"], more={"c": 1})').calls[0]?.args).toEqual({ tags: ['a', 'b'], more: { c: 1 } });
    expect(read('book_appointment(tags=[)')).toEqual({ content: '', calls: [], isBroken: true });
  });
});

describe('a text with a call that is not the whole of it, as models write it without a parser', () => {
  it.each([
    ['a name before a fence', `book_appointment\n${FENCE}python\ntool_call(service='cut')\n${FENCE}`],
    ['a name in a tag for names', `<use_mcp_tool><tool_name>book_appointment</tool_name></use_mcp_tool> Done.`],
    ['quotes as in print', 'Sure: {“name”: “book_appointment”, “arguments”: {“service”: “cut”}}'],
    ['a fence for calls', `Sure: ${FENCE}tool_code\nsearch()\n${FENCE}`],
    ['a call of any tool in bold', 'Sure.\n**Action:** search\n**Action Input:** hours'],
    ['a token before a call of any tool', 'Sure <|python_start|>[search()]<|python_end|>'],
    ['a token of a call that was left behind', `<|constrain|>json<|message|>${JSON_ARGS}`],
    ['tags with their brackets escaped', 'Sure &lt;tool_call&gt;{}&lt;/tool_call&gt;'],
    ['a tag for tools', 'Sure <tools><call tool="x"></call></tools>'],
    ['a result that was made up', 'Sure. <tool_response>{"ok":true}</tool_response>'],
    ['a result that was made up, between marks', '[TOOL_RESULTS]{}[/TOOL_RESULTS]Sure'],
  ])('is neither run nor told: %s', (_, text) => {
    expect(read(text)).toEqual({ content: '', calls: [], isBroken: true });
  });
});

describe('a text', () => {
  it.each([
    'https://example.com/book_appointment',
    'https://example.com/end/find_appointments?service=cut',
    'See <https://example.com/book_appointment>.',
    '- find_appointments\n- book_appointment',
    '[open_now] {"a":1}',
    '“Hello”, he said: “name”, “arguments”',
    'Tool: scissors',
  ])('without a call is told: %s', (text) => expect(read(text)).toEqual({ content: text, calls: [], isBroken: false }));

  it.each([
    '{',
    '[|',
    '[a_b]',
    '{"name":"book_appointment",',
    '<a{',
    '<parameter=a>',
    '<argument=a>',
    '<arg_key>a</arg_key><arg_value>',
    '“',
    '✿',
    'a = ',
    'a(b=[',
  ])('of nothing but %s is read at once', (part) => {
    const began = process.cpuUsage();
    expect(read(part.repeat(31_000 / part.length)).calls).toEqual([]);
    expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
  });
});

import fc from 'fast-check';
import { AnswerBody } from './answer-body.js';
import { readAnswer } from './model-answer.js';

const ANSWER = JSON.stringify({ choices: [{ finish_reason: 'stop', message: { content: 'Hello!' } }] });
const piece = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`;
function readAnswerBody(...parts: readonly string[]): unknown {
  const body = new AnswerBody();
  for (const part of parts) body.add(part);
  return body.read();
}
const read = (text: string) => readAnswer(readAnswerBody(text), ['book_appointment', 'find_appointments']);

describe('the body of an answer', () => {
  it.each([
    ['JSON', ANSWER],
    ['JSON behind a mark of byte order', `\ufeff${ANSWER}`],
    ['JSON behind white space that keeps a connection alive', `\n\n   \r\n${ANSWER}`],
    ['JSON before the end of a stream', `${ANSWER}\n\ndata: [DONE]\n\n`],
    ['JSON over several lines before the end of a stream', `${JSON.stringify(JSON.parse(ANSWER), null, 2)}\ndata: [DONE]`],
    ['JSON with the end of a stream on its line', `${ANSWER}data: [DONE]`],
    ['JSON behind comments', `: PROCESSING\n\n: PROCESSING\n\n${ANSWER}`],
    ['an event', `data: ${ANSWER}\n\ndata: [DONE]\n\n`],
    ['an event over several lines', `event: message\ndata: {"choices":\ndata: ${ANSWER.slice('{"choices":'.length)}\n\n`],
    [
      'a stream',
      `${piece({ role: 'assistant', content: '' })}${piece({ content: 'Hel' })}${piece({ content: 'lo!' })}${piece({}, 'stop')}data: [DONE]\n\n`,
    ],
    [
      'a stream with carriage returns',
      `${piece({ content: 'Hel' })}${piece({ content: 'lo!' }, 'stop')}`.replaceAll('\n', '\r\n'),
    ],
    ['a stream without blank lines', `${piece({ content: 'Hel' })}${piece({ content: 'lo!' }, 'stop')}`.replaceAll('\n\n', '\n')],
    [
      'a stream with comments and other events',
      `: ping\n\nevent: delta\nid: 1\n${piece({ content: 'Hello!' })}${piece({}, 'stop')}`,
    ],
    ['lines of pieces', `${piece({ content: 'Hel' })}${piece({ content: 'lo!' }, 'stop')}`.replaceAll('data: ', '')],
    [
      'a stream that ends with a piece without choices',
      `${piece({ content: 'Hello!' }, 'stop')}data: {"choices":[],"usage":{}}\n\ndata: [DONE]\n\n`,
    ],
  ])('may be %s', (_, body) => expect(read(body)).toMatchObject({ content: 'Hello!', calls: [], fault: null }));

  it('changes no object but the answer, whatever the members of its pieces are named', () => {
    const named = '"__proto__":{"polluted":"a"},"constructor":{"prototype":{"polluted":"b"}}';
    const call = `{"index":0,"id":"one",${named},"function":{"name":"find_appointments","arguments":"{}",${named}}}`;
    const deltas = [
      `{${named},"content":"Hel"}`,
      `{${named},"content":"lo!","tool_calls":[${call}]}`,
      `{"tool_calls":[${call}]}`,
    ];
    const body = deltas.map((delta) => `data: {"choices":[{"delta":${delta}}]}\n\n`).join('');
    expect(read(`${body}data: [DONE]`)).toMatchObject({ content: 'Hello!', calls: [{ name: 'find_appointments' }] });
    expect([Object.prototype, Object].filter((each) => 'polluted' in each)).toEqual([]);
  });

  it('may stream tool calls, and thoughts before them', () => {
    const body = [
      piece({ role: 'assistant', content: null, reasoning_content: 'A ' }),
      piece({ reasoning_content: 'cut.' }),
      piece({ tool_calls: [{ index: 0, id: 'one', type: 'function', function: { name: 'book_appointment', arguments: '' } }] }),
      piece({ tool_calls: [{ index: 0, function: { arguments: '{"service":' } }] }),
      piece({ tool_calls: [{ index: 0, id: '', function: { name: '', arguments: '"cut"}' } }] }),
      piece({
        tool_calls: [{ index: 1, id: 'two', type: 'function', function: { name: 'find_appointments', arguments: '{}' } }],
      }),
      piece({}, 'tool_calls'),
    ].join('');
    expect(read(body)).toMatchObject({
      content: '',
      thoughts: 'A cut.',
      calls: [
        { id: 'one', name: 'book_appointment', args: { service: 'cut' } },
        { id: 'two', name: 'find_appointments', args: {} },
      ],
    });
  });

  it.each([
    ['without an index', undefined],
    ['of one index', 0],
  ])('may stream several tool calls %s', (_, index) => {
    const called = (id: string, name: string) => ({ index, id, type: 'function', function: { name, arguments: '{}' } });
    const body =
      piece({ tool_calls: [called('a', 'find_appointments')] }) + piece({ tool_calls: [called('b', 'book_appointment')] });
    expect(read(body + piece({}, 'stop')).calls.map(({ id, name }) => [id, name])).toEqual([
      ['a', 'find_appointments'],
      ['b', 'book_appointment'],
    ]);
  });

  const [book, find] = ['book_appointment', 'find_appointments'];
  const CUT = [book, { service: 'cut' }];
  const called = (name: string | undefined, args: string, more: object = {}) => ({
    ...more,
    function: { name, arguments: args },
  });

  describe.each([
    ['streams', (...calls: object[]) => calls.map((call) => piece({ tool_calls: [call] })).join('') + piece({}, 'tool_calls')],
    [
      'lists',
      (...calls: object[]) => JSON.stringify({ choices: [{ finish_reason: 'tool_calls', message: { tool_calls: calls } }] }),
    ],
  ])('that %s pieces of calls', (_, bodyOf) => {
    const readCalls = (...calls: object[]) => read(bodyOf(...calls)).calls.map(({ name, args }) => [name, args]);

    it.each([
      ['two calls of one index and no id', [called(find, '{}', { index: 0 }), called(book, '{"service":"cut"}', { index: 0 })]],
      ['two calls of one id', [called(find, '{}', { id: 'a' }), called(book, '{"service":"cut"}', { id: 'a' })]],
      [
        'two calls of one id and index',
        [called(find, '', { index: 0, id: 'a' }), called(book, '{"service":"cut"}', { index: 0, id: 'a' })],
      ],
      ['two calls without index and id', [called(find, ''), called(book, '{"service":"cut"}')]],
    ])('tells %s apart by their names', (_case, calls) => {
      expect(readCalls(...calls)).toEqual([[find, {}], CUT]);
    });

    it.each([
      ['index', { index: 0 }],
      ['id', { id: 'a' }],
    ])('tells two calls of one tool and %s apart by whole arguments', (_case, more) => {
      const calls = [called(book, '{"service":"cut"}', more), called(book, '{"service":"massage"}', more)];
      expect(readCalls(...calls)).toEqual([CUT, [book, { service: 'massage' }]]);
    });

    it.each([
      ['name and id and no index', (args: string) => called(book, args, { id: 'a' })],
      ['name and id and index', (args: string) => called(book, args, { id: 'a', index: 0 })],
      ['name and index', (args: string) => called(book, args, { index: 0 })],
      ['name', (args: string) => called(book, args, { index: null })],
    ])('puts pieces together that all have %s', (_case, pieceOf) => {
      expect(readCalls(...['{"ser', 'vice":', '"cut"}'].map(pieceOf))).toEqual([CUT]);
    });

    it('gives each piece to the call of its id, whatever comes between and whichever index it has', () => {
      const calls = [
        called(book, '{"service":', { id: 'a', index: 0 }),
        called(book, '{"service":', { id: 'b', index: 0 }),
        called(undefined, '"cut"}', { id: 'a', index: 0 }),
        called(undefined, '"massage"}', { id: 'b', index: 0 }),
      ];
      expect(readCalls(...calls)).toEqual([CUT, [book, { service: 'massage' }]]);
    });

    it('gives a piece without name, id and index to the last call', () => {
      expect(readCalls(called(book, '{"service":', { id: 'a', index: 0 }), called(undefined, '"cut"}'))).toEqual([CUT]);
    });
  });

  it('that ends within its stream is half an answer', () => {
    expect(read(piece({ content: 'We open at' }))).toMatchObject({ content: '', fault: 'length' });
  });

  it('may stream an error', () => {
    expect(readAnswerBody('data: {"error":{"message":"No."}}\n\ndata: [DONE]\n\n')).toEqual({ error: { message: 'No.' } });
    const refusal = { object: 'error', message: 'No.' };
    expect(readAnswerBody(`${piece({ content: 'We' })}data: ${JSON.stringify(refusal)}\n\n`)).toEqual(refusal);
  });

  it.each(['<html>oops</html>', '{"choices":[{"mess', '', 'data: [DONE]', 'data: {"choices":'])('is none: %s', (body) =>
    expect(readAnswerBody(body)).toBeUndefined(),
  );

  it('is the same however its text is cut, and a stream is told piece by piece', () => {
    const lines =
      ': ping\n\n¦\r¦\n¦\r\n¦data: {"choices":\r\ndata: [{"delta":{"content":"?"}}]}\r\n\r\n¦\ufeff¦\0¦ ¦data: [DONE]\n\n¦event: x\n¦<html>¦{"error":{"message":"No."}}\n¦{¦\n}';
    const bodies = [
      piece({ content: 'Hel' }),
      piece({ content: 'lo!' }, 'stop'),
      ANSWER,
      JSON.stringify(JSON.parse(ANSWER), null, 2),
    ];
    const part = fc.constantFrom(...bodies, ...lines.split('¦'));
    const cuts = fc.array(fc.nat(30), { maxLength: 10 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), cuts, (parts, lengths) => {
        const text = parts.join('');
        let at = 0;
        const cut = lengths.map((length) => text.slice(at, (at += length)));
        expect(readAnswerBody(...cut, text.slice(at))).toEqual(readAnswerBody(text));
      }),
    );
    const seen: unknown[] = [];
    const body = new AnswerBody(({ content }) => seen.push(content));
    for (const letter of `${piece({ content: 'Hel' })}${piece({ content: 'lo!' }, 'stop')}data: [DONE]`) body.add(letter);
    expect([seen, body.isDone]).toEqual([['Hel', 'Hello!'], true]);
  });

  it('that is long is read at once', () => {
    const lines = ` "x": 1,\n`.repeat(100_000);
    expect(readAnswerBody(`{\n${lines}`)).toBeUndefined();
    expect(read(piece({ content: 'x' }).repeat(20_000) + piece({}, 'stop')).content).toBe('x'.repeat(20_000));
    const body = new AnswerBody();
    for (let count = 0; count < 200_000; count += 1) body.add('x'.repeat(10));
    expect(body.read()).toBeUndefined();
  });
});

import { JsonText, renderJson } from './json-text.js';

describe('JSON kept as text', () => {
  it('leaves exactly as it came', () => {
    const metadata = new JsonText('{"10":1,"2":12345678901234567890,"__proto__":1.0}');
    expect(renderJson({ id: 'a', metadata, list: [metadata] })).toBe(
      `{"id":"a","metadata":${metadata.text},"list":[${metadata.text}]}`,
    );
  });

  it('may hold what a replacement pattern would expand', () => {
    expect(renderJson({ metadata: new JsonText('{"price":"$& $1 $$"}') })).toBe('{"metadata":{"price":"$& $1 $$"}}');
  });

  it.each(['\0json:0', 'x"\0json:0', '\0json:1'])('is not put where a text reads %j', (text) => {
    const rendered = renderJson({ text, metadata: new JsonText('{"1":1}') });
    expect(rendered).toBe(`{"text":${JSON.stringify(text)},"metadata":{"1":1}}`);
  });

  it('costs nothing where there is none', () => expect(renderJson({ a: [1, null] })).toBe('{"a":[1,null]}'));
});

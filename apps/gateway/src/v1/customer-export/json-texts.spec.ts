import fc from 'fast-check';
import { JsonText } from '@domain/kernel/json-text';
import { arrayTexts, mapped, objectTexts, type Texts } from './json-texts.js';

async function* each<Item>(...items: readonly Item[]): AsyncGenerator<Item> {
  for (const item of items) yield await Promise.resolve(item);
}

async function whole(texts: Texts): Promise<unknown> {
  let text = '';
  for await (const part of texts) text += part;
  return JSON.parse(text);
}

describe('JSON in parts', () => {
  it('is the same as in one piece, whatever is in it', async () => {
    const thing = fc.record({ name: fc.string(), things: fc.array(fc.jsonValue(), { maxLength: 3 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(thing, { maxLength: 4 }), async (things) => {
        const texts = arrayTexts(
          mapped(each(...things), ({ things: inside, ...object }) =>
            objectTexts(object, 'things', each(...inside.map((value) => JSON.stringify(value)))),
          ),
        );
        expect(await whole(texts)).toEqual(JSON.parse(JSON.stringify(things)));
      }),
    );
  });

  it('keeps text that is JSON already', async () => {
    let text = '';
    for await (const part of objectTexts({ metadata: new JsonText('{"2":1.0,"1":1}') }, 'things', each())) text += part;
    expect(text).toBe('{"metadata":{"2":1.0,"1":1},"things":[]}');
  });

  it('is made only as far as it is read', async () => {
    let made = 0;
    const items = mapped(each(1, 2, 3, 4), (n) => String((made = n)));
    for await (const part of arrayTexts(items)) if (part === '2') break;
    expect(made).toBe(2);
  });
});

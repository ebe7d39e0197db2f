import { renderJson } from '@domain/kernel/json-text';

/** A JSON value in parts. */
export type Texts = AsyncIterable<string>;

/** An object with one more member, an array whose items are asked for one by one. */
export async function* objectTexts(object: object, member: string, items: AsyncIterable<string | Texts>): AsyncGenerator<string> {
  yield `${renderJson(object).slice(0, -1)},"${member}":`;
  yield* arrayTexts(items);
  yield '}';
}

export async function* arrayTexts(items: AsyncIterable<string | Texts>): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items) {
    yield before;
    if (typeof item === 'string') yield item;
    else yield* item;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

export async function* mapped<Item, Result>(
  items: AsyncIterable<Item>,
  toResult: (item: Item) => Result,
): AsyncGenerator<Result> {
  for await (const item of items) yield toResult(item);
}

import { Script } from 'node:vm';
import { turnsDuring } from '@testing/event-loop';
import { MdastPlainText } from './plain-text.mdast.js';

const plainText = new MdastPlainText();
const hasty = new MdastPlainText(1);

const stripped: Record<string, [markdown: string, words: string]> = {
  emphasis: ['**a** _b_ ~~c~~ ***d***', 'a b c d'],
  'emphasis that is no product': ['2*a*4 x*3*4', '2a4 x34'],
  headings: ['# One\n\nTwo\n---\n\nthree', 'One\n\nTwo\n\nthree'],
  'code fences, keeping the code': ['```ts\nconst a = b * c;\n```\nafter', 'const a = b * c;\n\nafter'],
  'inline code': ['run `npm start` now', 'run npm start now'],
  'links, keeping their text': ['see [the page](https://x.y "t") and [ref][1]\n\n[1]: http://y', 'see the page and ref'],
  'images, keeping what they show': ['![a map](m.png) <img alt="a plan" src=p.png>', 'a map a plan'],
  autolinks: ['<https://c.d> <me@x.co> https://a.b/_x_/', 'https://c.d me@x.co https://a.b/_x_/'],
  'tables, empty cells too': ['| a |  | `c` |\n|---|---|---|\n| <b> </b> | x | y |', 'a, c\nx, y'],
  tables: ['| Day | Time |\n|---|---|\n| Mon | `10:00` |', 'Day, Time\nMon, 10:00'],
  'items that hold nothing': ['- a\n- <!-- x -->\n- b', 'a\nb'],
  'bullet lists': ['- a\n- **b**\n  - c', 'a\nb\nc'],
  'numbered lists, keeping the numbers': ['3. x\n4. *y*', '3. x\n4. y'],
  'task lists': ['- [x] done\n- [ ] open', '☑ done\n☐ open'],
  quotes: ['> q\n> **r**', 'q\nr'],
  footnotes: ['so[^1]\n\n[^1]: why', 'so (1)\n\n(1) why'],
  'footnotes, keeping their names': ['so[^Why]\n\n[^Why]: so', 'so (Why)\n\n(Why) so'],
  'HTML tags, keeping what they hold': ['a <b>b</b> <a href="x">c</a>', 'a b c'],
  'HTML blocks and the markdown in them': ['<div>\n*foo* &amp; <b>bar</b><br>baz</div>\n\nend', 'foo & bar\nbaz\n\nend'],
  'HTML blocks that are indented': ['<div>\n    *a*\n</div>', 'a'],
  'HTML lines': ['<p>a</p>b<br>c <div>d</div>e', 'a\nb\nc\nd\ne'],
  'HTML tables': ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\n\nc'],
  'HTML that stops in a tag, keeping its words': ['<div and more', 'div and more'],
  'scripts and styles with what they hold': ['a<script>alert("</b>")</script>b\n\n<style>\np > a {}\n</style>\n\nc', 'ab\n\nc'],
  'scripts and styles, whatever is in them': [
    'a<script>![b](c)[^1] `d`  \ne<br><img alt="f"></p>2*3*4</script>g<script>h</SCRIPT>i\n\n[^1]: j',
    'agi\n\n(1) j',
  ],
  'a script tag that never closes, keeping the rest': ['Use <script> and **go**', 'Use  and go'],
  'a script tag that never closes, behind one that does': ['a <script>x</script>b <script> and **go**', 'a b  and go'],
  comments: ['a <!-- b --> c', 'a  c'],
  entities: ['AT&amp;T &copy; &#65; &quot;x&quot;', 'AT&T © A "x"'],
  'hard spaces': ['a&nbsp;b', 'a b'],
  'line breaks': ['one\\\ntwo', 'one\ntwo'],
  'escapes of markdown': ['\\*kept\\*', '*kept*'],
  'tags inside code': ['```html\n<script>alert(1)</script> keep\n```', 'alert(1) keep'],
  'tags that entities spell': ['&lt;img src=x onerror=alert(1)&gt; &#60;i&#62;hi', ' hi'.trim()],
  'tags behind a broken heart': ['I </3 you <b>so</b> `</<script>x`', 'I </3 you so </x'],
  'tags built of tags': ['<<b>script>x</<b>script> `<<<b>b>script>`y', 'x y'],
  'types of documents': ['a <!DOCTYPE html> b `<!doctype html>`', 'a  b'],
};

const untouched = [
  '2 < 3 and 5 > 4',
  'a_b snake_case __init',
  '5 * 3 * 2 = 30',
  '2*3*4',
  'I <3 you, </3 me > you',
  'AT&T & co',
  'me@example.com',
  'x<y and z',
  'a<b c="',
  'C:\\path\\to_file',
  '#tag $5 ~5 and ~6 @me 1 + 1 = 2',
  'one\ntwo\n\nthree',
  'e\u0301 👩‍👩‍👧 ü',
];

describe('MdastPlainText', () => {
  it.each([
    ['[](https://x.y/z)', 'https://x.y/z'],
    ['See [](https://x.y/z).', 'See https://x.y/z.'],
    ['[![a map](m.png)](https://x.y)', 'a map'],
    ['[![](m.png)](https://x.y)', 'https://x.y'],
    ['![](https://x.y/m.png)', 'https://x.y/m.png'],
    ['<img src="https://x.y/m.png">', 'https://x.y/m.png'],
    ['<a href="tel:+49151"></a>', 'tel:+49151'],
    ['[a]: https://x.y', 'https://x.y'],
    ['![](https://x.y/m.png) Hello', 'Hello'],
    ['![](data:image/png;base64,AAAA)', ''],
    ['[](javascript:alert)', ''],
    ['---', ''],
    ['<br>', ''],
  ])('shows of %s, which has no other words, the address: %s', async (markdown, words) => {
    expect(await plainText.strip(markdown)).toBe(words);
  });

  test.each(Object.entries(stripped))('strips %s', async (_name, [markdown, words]) => {
    expect(await plainText.strip(markdown)).toBe(words);
  });

  test.each([
    ['_b_', 'b'],
    ['~~c~~', 'c'],
    ['# One', 'One'],
    ['One\n===', 'One'],
    ['AT&amp;T', 'AT&T'],
    ['1\\. May', '1. May'],
    ['1) x\n2) y', '1. x\n2. y'],
    ['a\n\n    b', 'a\n\nb'],
  ])('strips %j, where nothing else is marked', async (markdown, words) => {
    expect(await plainText.strip(markdown)).toBe(words);
  });

  test.each(untouched)('leaves %j as it is', async (text) => {
    expect(await plainText.strip(text)).toBe(text);
  });

  it('follows quotes nested as deep as a message is long', async () => {
    expect(await plainText.strip(`${'>'.repeat(8000)} deep`)).toBe('deep');
  });

  it.each(['1.', '-', '+ -', '1) > *', '[^a]:'])(
    'follows blocks in blocks, marked %j, twenty deep, however deep they are',
    async (marks) => {
      const kinds = marks.split(' ');
      const deep = (depth: number) => `${Array.from({ length: depth }, (_, at) => kinds[at % kinds.length]).join(' ')} end`;
      expect(await plainText.strip(deep(1_000))).toMatch(/end$/);
      expect(await plainText.strip(deep(80))).toBe(await plainText.strip(deep(20)));
    },
  );

  it.each(['[a]: b\n', '- \n', '|a|b|\n|-|-|\n', '<b>', '*a ', 'a\n=\n', '* a\n'])(
    'lets others have their turn while it reads %j all over',
    async (text) => {
      const strip = hasty.strip(text.repeat(8_000 / text.length));
      expect(await turnsDuring(strip)).toBeGreaterThanOrEqual(8);
    },
  );

  describe('however long it is', () => {
    const prose = 'Please arrive ten minutes early and bring your insurance card along. '.repeat(4);
    const patient = new MdastPlainText(60_000);

    it('strips list items that go on after a blank line', async () => {
      const steps = Array.from({ length: 40 }, (_, at) => `${at + 1}. Step.\n\n    **Note:** ${prose}[page](https://x.y).\n`);
      const words = steps.map((_, at) => `${at + 1}. Step.\nNote: ${prose}page.`).join('\n');
      expect(await patient.strip(steps.join('\n'))).toBe(words);
    });

    it('strips a table of times', async () => {
      const row = '| 10:00 | 10:15 | - | 10:45 |\n';
      const words = `a, b, c, d\n${'10:00, 10:15, -, 10:45\n'.repeat(200)}`.trim();
      expect(await patient.strip(`| a | b | c | d |\n|---|---|---|---|\n${row.repeat(200)}`)).toBe(words);
    });

    it('finds the targets of links at the end', async () => {
      const text = await patient.strip(`${`${prose}See [the page][r].\n\n`.repeat(40)}[r]: https://x.y\n`);
      expect(text).toBe(`${prose}See the page.\n\n`.repeat(40).trim());
    });

    it.each([
      ['<script>', '</script>'],
      ['<!--', '-->'],
    ])('leaves out what is between %s and %s', async (open, close) => {
      const hidden = `${open}\n${'hidden line of it\n\n'.repeat(300)}${close}`;
      expect(await patient.strip(`one\n\n${hidden}\n\ntwo`)).toBe('one\n\ntwo');
    });
  });

  it('keeps a long text whole in its pieces', async () => {
    const markdown = Array.from({ length: 900 }, (_, index) => `**w${index}** and <i>more</i>\n\n`).join('');
    const words = Array.from({ length: 900 }, (_, index) => `w${index} and more`).join('\n\n');
    expect(await hasty.strip(markdown)).toBe(words);
  });

  it('cuts no word, line or tag of a long text', async () => {
    expect(await hasty.strip('**word** '.repeat(1_500))).toBe('word '.repeat(1_500).trim());
    expect((await hasty.strip('<b>wo</b>'.repeat(2_000))).replaceAll(' ', '')).toBe('wo'.repeat(2_000));
    expect(await hasty.strip(`so <b ${'x '.repeat(6_000)}>end`)).toBe('so end');
  });
});

it('is read whole within two seconds, and a short one however long that takes', async () => {
  const run = jest.spyOn(Script.prototype, 'runInContext');
  const stripped = (count: number, text: string) => new MdastPlainText().strip(text.repeat(count));
  expect(await stripped(111, '**word** ')).toBe('word '.repeat(111).trim());
  expect(run).not.toHaveBeenCalled();
  expect(await stripped(112, '**word** ')).toBe('word '.repeat(112).trim());
  expect(await stripped(100, '**word** and more ')).toBe('word and more '.repeat(100).trim());
  expect(run.mock.calls.map(([, options]) => options)).toEqual([{ timeout: 2_000 }, { timeout: 2_000 }]);
  run.mockRestore();
});

it.each(['a\n=\n', '* a\n', '| x |\n'])('many texts of nothing but %j are read one after the other', async (text) => {
  const strips = Array.from({ length: 20 }, () => hasty.strip(text.repeat(80)));
  expect(await turnsDuring(Promise.all(strips))).toBeGreaterThanOrEqual(19);
  expect(new Set(await Promise.all(strips)).size).toBe(1);
});

it('a text that cannot be read keeps none behind it waiting', async () => {
  const words = jest.spyOn(Script.prototype, 'runInContext').mockImplementationOnce(() => {
    throw new Error('out of memory');
  });
  const plain = new MdastPlainText();
  const [first, second] = await Promise.allSettled([1, 2].map(() => plain.strip('**word** '.repeat(120))));
  expect([first, second]).toEqual(Array(2).fill({ status: 'fulfilled', value: 'word '.repeat(120).trim() }));
  words.mockRestore();
});

it('an ordinary short text waits for none of those', async () => {
  const plain = new MdastPlainText();
  const order: string[] = [];
  const hostile = Array.from({ length: 5 }, () => plain.strip('a\n=\n'.repeat(200)).then(() => order.push('hostile')));
  await plain.strip('**Hello** there').then(() => order.push('ordinary'));
  await Promise.all(hostile);
  expect(order.indexOf('ordinary')).toBeLessThan(2);
});

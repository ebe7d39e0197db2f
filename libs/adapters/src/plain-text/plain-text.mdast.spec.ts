import fc from 'fast-check';
import { piecesOf } from './pieces.js';
import { MdastPlainText } from './plain-text.mdast.js';

const plainText = new MdastPlainText();

const stripped: Record<string, [markdown: string, words: string]> = {
  emphasis: ['**a** _b_ ~~c~~ ***d***', 'a b c d'],
  headings: ['# One\n\nTwo\n---\n\nthree', 'One\n\nTwo\n\nthree'],
  'code fences, keeping the code': ['```ts\nconst a = b * c;\n```\nafter', 'const a = b * c;\n\nafter'],
  'inline code': ['run `npm start` now', 'run npm start now'],
  'links, keeping their text': ['see [the page](https://x.y "t") and [ref][1]\n\n[1]: http://y', 'see the page and ref'],
  'images, keeping what they show': ['![a map](m.png) <img alt="a plan" src=p.png>', 'a map a plan'],
  autolinks: ['<https://c.d> <me@x.co> https://a.b/_x_/', 'https://c.d me@x.co https://a.b/_x_/'],
  tables: ['| Day | Time |\n|---|---|\n| Mon | `10:00` |', 'Day, Time\nMon, 10:00'],
  'bullet lists': ['- a\n- **b**\n  - c', 'a\nb\nc'],
  'numbered lists, keeping the numbers': ['3. x\n4. *y*', '3. x\n4. y'],
  'task lists': ['- [x] done\n- [ ] open', '☑ done\n☐ open'],
  quotes: ['> q\n> **r**', 'q\nr'],
  footnotes: ['so[^1]\n\n[^1]: why', 'so (1)\n\n(1) why'],
  'HTML tags, keeping what they hold': ['a <b>b</b> <a href="x">c</a>', 'a b c'],
  'HTML blocks and the markdown in them': ['<div>\n*foo* &amp; <b>bar</b><br>baz</div>\n\nend', 'foo & bar\nbaz\n\nend'],
  'scripts and styles with what they hold': ['a<script>alert("</b>")</script>b\n\n<style>\np > a {}\n</style>\n\nc', 'ab\n\nc'],
  'a script tag that never closes, keeping the rest': ['Use <script> and **go**', 'Use  and go'],
  comments: ['a <!-- b --> c', 'a  c'],
  entities: ['AT&amp;T &copy; &#65; &quot;x&quot;', 'AT&T © A "x"'],
  'escapes of markdown': ['\\*kept\\*', '*kept*'],
  'tags inside code': ['```html\n<script>alert(1)</script> keep\n```', 'alert(1) keep'],
  'tags that entities spell': ['&lt;img src=x onerror=alert(1)&gt; &#60;i&#62;hi', ' hi'.trim()],
  'tags behind a broken heart': ['I </3 you <b>so</b> `</<script>x`', 'I </3 you so </x'],
  'tags built of tags': ['<<b>script>x</<b>script>', 'x'],
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
  test.each(Object.entries(stripped))('strips %s', async (_name, [markdown, words]) => {
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

  it.each(['[a]: b\n', '- \n', '|a|b|\n|-|-|\n', '<b>', '*a '])(
    'lets others have their turn while it reads %j all over',
    async (text) => {
      let turns = 0;
      const count = (): void => void (turns++, (next = setImmediate(count)));
      let next = setImmediate(count);
      await plainText.strip(text.repeat(8_000 / text.length));
      clearImmediate(next);
      expect(turns).toBeGreaterThanOrEqual(8);
    },
  );

  it('keeps a long text whole', async () => {
    const markdown = Array.from({ length: 900 }, (_, index) => `**w${index}** and <i>more</i>\n\n`).join('');
    const words = Array.from({ length: 900 }, (_, index) => `w${index} and more`).join('\n\n');
    expect(await plainText.strip(markdown)).toBe(words);
  });
});

const word = fc.stringMatching(/^[a-z]{3,9}$/);
const tagName = fc.constantFrom('b', 'script', 'img', 'div', 'svg', 'x-y', 'a', 'style', 'textarea', 'title', 'iframe');
const wrap = fc.constantFrom<(text: string, tag: string) => string>(
  (text) => `**${text}**`,
  (text) => `_${text}_`,
  (text) => `\n\n# ${text}\n\n`,
  (text) => `\n\n- ${text}\n\n`,
  (text) => `\n\n> ${text}\n\n`,
  (text) => `[${text}](https://x.y)`,
  (text, tag) => `\`<${tag}>${text}\``,
  (text, tag) => `\n\n\`\`\`\n<${tag} a=b>${text}</${tag}>\n\`\`\`\n\n`,
  (text, tag) => `&lt;${tag}&gt;${text}`,
  (text, tag) => `<${tag} onclick="x">${text}`,
  (text) => `${text}`,
);
const piece = fc.tuple(word, tagName, wrap);

describe('whatever is stripped', () => {
  const markup = fc.array(
    fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '</',
        '<!--',
        '-->',
        '<b',
        '<script',
        '</script>',
        '"',
        '=',
        '`',
        '```',
        '**',
        '_',
        '\n',
        '&lt;',
        '&gt;',
        '\\',
      ),
      fc.constantFrom(' ', '[', '](', ')', '|', '~~', '- ', '# ', '<?', '<!D', "'", '&#60;', '<a href="', 'x'),
      word,
    ),
    { maxLength: 60 },
  );

  it('never reads as an HTML tag', async () => {
    await fc.assert(
      fc.asyncProperty(markup, async (parts) => {
        expect(await plainText.strip(parts.join(''))).not.toMatch(/<\/?[a-z][^<>]*>/i);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps every word outside of closed scripts, and no tag of the input', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), async (pieces) => {
        const words = await plainText.strip(pieces.map(([text, tag, write]) => write(text, tag)).join(' '));
        for (const [text, tag] of pieces) {
          if (!/script|style/.test(pieces.map(([, name]) => name).join())) expect(words).toContain(text);
          expect(words).not.toContain(`<${tag}`);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('the pieces of a long text', () => {
  it('are the text, none longer than twice the limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('word ', '\n', '\n\n', '```\n', '**b** ', 'x'.repeat(90)), { maxLength: 200 }),
        (parts) => {
          const pieces = piecesOf(parts.join(''), 100);
          expect(pieces.join('')).toBe(parts.join(''));
          expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(200);
        },
      ),
    );
  });
});

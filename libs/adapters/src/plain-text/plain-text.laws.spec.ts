import fc from 'fast-check';
import { MdastPlainText } from './plain-text.mdast.js';

const plainText = new MdastPlainText();

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

  it.each(['<b>', '<!d>', '</b>'])('never does, however often %j is built of others', async (tag) => {
    for (let depth = 1; depth < 40; depth++) {
      const text = `${'<'.repeat(depth)}${tag.slice(1).repeat(depth)}`;
      expect(await plainText.strip(text)).not.toMatch(/<[/!]?[a-z][^<>]*>/i);
      expect(await plainText.strip(`\`${text}\``)).not.toMatch(/<[/!]?[a-z][^<>]*>/i);
    }
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
